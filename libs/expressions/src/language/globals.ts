import { zonedLuxon } from '../n8n/zoned-luxon.ts';
import type { Evaluation } from './evaluation.ts';
import { NEEDS_SANDBOX } from './evaluation.ts';
import { allow, allowDeep } from './guards.ts';

/** Names of the outside world. They read as empty objects, so that `typeof process` and guards on it behave. */
const HIDDEN = `
  process require module exports global globalThis window self document fetch XMLHttpRequest WebSocket WebAssembly
  setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate queueMicrotask Function eval Promise
  Reflect Proxy AsyncFunction Atomics SharedArrayBuffer importScripts alert prompt confirm Buffer console Worker
  structuredClone
`
  .trim()
  .split(/\s+/);

const SHARED: Record<string, unknown> = {
  Array,
  Boolean,
  Error,
  EvalError,
  Infinity,
  Intl,
  JSON,
  Map,
  Math,
  NaN,
  Number,
  RangeError,
  ReferenceError,
  RegExp,
  Set,
  String,
  SyntaxError,
  TypeError,
  URIError,
  BigInt,
  Symbol,
  WeakMap,
  WeakSet,
  Uint8Array,
  Int8Array,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
  ArrayBuffer,
  DataView,
  decodeURI,
  decodeURIComponent,
  encodeURI,
  encodeURIComponent,
  escape,
  unescape,
  isFinite,
  isNaN,
  parseFloat,
  parseInt,
  undefined,
  Object,
};

const hidden = Object.freeze({});
const globals = new Map<string, (evaluation: Evaluation) => unknown>();
for (const name of HIDDEN) globals.set(name, () => hidden);
for (const [name, value] of Object.entries(SHARED)) globals.set(name, () => value);
globals.set('Date', (evaluation) => evaluation.view.date);
globals.set('DateTime', (evaluation) => evaluation.view.dateTime);
globals.set('Duration', (evaluation) => zonedLuxon(evaluation.view.zone).Duration);
globals.set('Interval', (evaluation) => zonedLuxon(evaluation.view.zone).Interval);

/** Undefined for a name that does not exist. */
export function globalOf(name: string): ((evaluation: Evaluation) => unknown) | undefined {
  return globals.get(name);
}

const arrayFrom = Array.from;
allow(Array, Array.isArray, Array.of, arrayFrom, Boolean, Object.entries, Object.is, Object.keys, Object.values, Object.hasOwn);
allowDeep(
  BigInt,
  Number,
  String,
  decodeURI,
  decodeURIComponent,
  encodeURI,
  encodeURIComponent,
  escape,
  unescape,
  isFinite,
  isNaN,
  parseFloat,
  parseInt,
  JSON.parse,
  JSON.stringify,
  Number.isFinite,
  Number.isInteger,
  Number.isNaN,
  Number.isSafeInteger,
  Number.parseFloat,
  Number.parseInt,
  String.fromCharCode,
  String.fromCodePoint,
  String.raw,
  Object.fromEntries,
);
for (const name of Object.getOwnPropertyNames(Math)) allowDeep((Math as unknown as Record<string, unknown>)[name]);

/** Constructors whose results stay within the evaluation. `Date` is the view's own. */
const CONSTRUCTORS = new Set<unknown>([Map, Set, Error, TypeError, RangeError, Array, RegExp]);

/** Passes, or throws NEEDS_SANDBOX, before `new constructor(...args)` outside the sandbox. */
export function guardConstruction(evaluation: Evaluation, constructor: unknown, args: readonly unknown[]): void {
  evaluation.charge(4);
  if (constructor === evaluation.view.date) return;
  if (!CONSTRUCTORS.has(constructor)) throw NEEDS_SANDBOX;
  const [first] = args;
  if (Array.isArray(first)) evaluation.charge(first.length);
  else if (typeof first === 'object' && first !== null && !(first instanceof RegExp || first instanceof Map || first instanceof Set))
    throw NEEDS_SANDBOX;
}

/** Calls whose result has a size that an argument chooses. The only ones that are limited in the sandbox, too. */
export function guardSize(evaluation: Evaluation, receiver: unknown, name: string, callee: unknown, args: readonly unknown[]): void {
  const [first] = args;
  if (callee === Array || callee === arrayFrom) {
    const length = typeof first === 'number' ? first : ((first as { length?: unknown } | null)?.length ?? 0);
    if (typeof length !== 'number' || length > evaluation.longestList) throw evaluation.tooLarge();
    if (length > 0) evaluation.charge(length);
  } else if (typeof receiver === 'string') {
    const length = name === 'repeat' ? receiver.length * Number(first) : name === 'padStart' || name === 'padEnd' ? Number(first) : 0;
    if (length > evaluation.longestText) throw evaluation.tooLarge();
  }
}
