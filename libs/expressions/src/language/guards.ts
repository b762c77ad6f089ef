import { FAST_LIST, NEEDS_SANDBOX } from './evaluation.ts';
import type { Evaluation } from './evaluation.ts';
import { longestSafeSubject } from '@app/engine';

const namesIn = (text: string): string[] => text.trim().split(/\s+/);

/**
 * What may be called outside the sandbox. Everything here ends in time proportional to its operands, changes nothing
 * but values the evaluation made itself, and reaches nothing but its operands.
 */
const TEXT_METHODS = new Set(
  namesIn(`
  at charAt charCodeAt codePointAt concat endsWith includes indexOf isWellFormed lastIndexOf localeCompare match matchAll
  normalize padEnd padStart repeat replace replaceAll search slice split startsWith substr substring toLocaleLowerCase
  toLocaleUpperCase toLowerCase toString toUpperCase toWellFormed trim trimEnd trimStart trimLeft trimRight valueOf length
`),
);
const NUMBER_METHODS = new Set(['toExponential', 'toFixed', 'toLocaleString', 'toPrecision', 'toString', 'valueOf']);
const LIST_METHODS = new Set(
  namesIn(`
  at concat entries every filter find findIndex findLast findLastIndex flat flatMap forEach includes indexOf join keys
  lastIndexOf map reduce reduceRight slice some toReversed toSorted toSpliced toString values with
`),
);
const LIST_CHANGES = new Set(['copyWithin', 'fill', 'pop', 'push', 'reverse', 'shift', 'sort', 'splice', 'unshift']);
const OBJECT_METHODS = new Set(['hasOwnProperty', 'propertyIsEnumerable', 'toString', 'toLocaleString', 'valueOf']);
const COLLECTION_METHODS = new Set(['get', 'has', 'forEach', 'keys', 'values', 'entries']);
const COLLECTION_CHANGES = new Set(['add', 'set', 'delete', 'clear']);
const REGEX_METHODS = new Set(['test', 'exec', 'toString']);
/** Of lists: results that nobody else holds. */
const MAKES_LIST = new Set(
  namesIn(`
  concat filter flat flatMap map slice split toReversed toSorted toSpliced with splice
`),
);

const safeFunctions = new WeakSet<object>();
const deepFunctions = new WeakSet<object>();

/** Declares functions that may be called with any receiver and handed to list methods. */
export function allow(...functions: unknown[]): void {
  for (const one of functions) if (typeof one === 'function') safeFunctions.add(one);
}

/** The same for functions that turn their arguments into text or visit all of them. */
export function allowDeep(...functions: unknown[]): void {
  allow(...functions);
  for (const one of functions) if (typeof one === 'function') deepFunctions.add(one);
}

export function isAllowed(candidate: unknown): boolean {
  return typeof candidate === 'function' && safeFunctions.has(candidate);
}

export type ReceiverKind = { readonly matches: (receiver: object) => boolean; readonly methods: ReadonlySet<string> };
const receiverKinds: ReceiverKind[] = [];

/** Declares the harmless methods of one more kind of object. */
export function allowMethods(kind: ReceiverKind): void {
  receiverKinds.push(kind);
}

/** Passes, or throws NEEDS_SANDBOX, before `receiver[name](...args)` is called outside the sandbox. */
export function guardMethod(evaluation: Evaluation, receiver: unknown, name: string, method: unknown, args: readonly unknown[]): void {
  evaluation.charge(4);
  for (const arg of args) if (typeof arg === 'function' && !isAllowed(arg)) throw NEEDS_SANDBOX;
  if (isAllowed(method)) {
    const deep = deepFunctions.has(method as object);
    for (const arg of args) {
      if (Array.isArray(arg) && !deep) evaluation.charge(arg.length);
      else if (deep && typeof arg === 'object' && arg !== null) chargeText(evaluation, arg);
    }
    return;
  }
  if (typeof receiver === 'string') return guardText(evaluation, receiver, name, args);
  if (typeof receiver === 'number') return need(NUMBER_METHODS.has(name));
  if (typeof receiver === 'boolean') return need(name === 'toString' || name === 'valueOf');
  if (typeof receiver !== 'object' || receiver === null) throw NEEDS_SANDBOX;
  if (Array.isArray(receiver)) return guardList(evaluation, receiver, name, args);
  if (receiver instanceof RegExp) {
    need(REGEX_METHODS.has(name));
    return name === 'toString' ? undefined : guardSubject(receiver, args[0]);
  }
  if (receiver instanceof Date) return need(!name.startsWith('set') && !name.startsWith('__'));
  if (receiver instanceof Map || receiver instanceof Set) {
    if (COLLECTION_CHANGES.has(name)) return evaluation.assertChangeable(receiver);
    evaluation.charge(receiver.size);
    return need(COLLECTION_METHODS.has(name));
  }
  for (const kind of receiverKinds) if (kind.matches(receiver)) return need(kind.methods.has(name));
  const prototype: unknown = Object.getPrototypeOf(receiver);
  return need((prototype === Object.prototype || prototype === null) && OBJECT_METHODS.has(name));
}

export function isMade(receiver: unknown, name: string): boolean {
  return (Array.isArray(receiver) || typeof receiver === 'string') && MAKES_LIST.has(name);
}

function need(condition: boolean): void {
  if (!condition) throw NEEDS_SANDBOX;
}

function guardText(evaluation: Evaluation, text: string, name: string, args: readonly unknown[]): void {
  need(TEXT_METHODS.has(name));
  evaluation.charge(text.length >> 6);
  for (const arg of args) {
    if (arg instanceof RegExp) guardSubject(arg, text);
    else if (typeof arg === 'object' && arg !== null) chargeText(evaluation, arg);
  }
  const [first, second] = args;
  switch (name) {
    case 'repeat':
      return need(!(text.length * Number(first) > evaluation.longestText));
    case 'padStart':
    case 'padEnd':
      return need(!(Number(first) > evaluation.longestText));
    case 'replace':
    case 'replaceAll':
      return need(
        typeof second !== 'string' ||
          (text.length + 1) * (second.length + 1) <= evaluation.longestText ||
          (!second.includes('$') && text.length * 2 < evaluation.longestText && second.length < 100),
      );
    case 'split':
      return need(text.length <= FAST_LIST);
    case 'match':
    case 'matchAll':
    case 'search':
      // A text given here is a pattern, too.
      return typeof first === 'string' ? need(longestSafeSubject(first) >= text.length) : undefined;
    case 'concat':
      return need(
        args.reduce<number>((sum, arg) => sum + (typeof arg === 'string' ? arg.length : 0), text.length) <= evaluation.longestText,
      );
    default:
  }
}

function guardSubject(pattern: RegExp, subject: unknown): void {
  need(typeof subject === 'string' && longestSafeSubject(pattern.source) >= subject.length);
}

function guardList(evaluation: Evaluation, list: readonly unknown[], name: string, args: readonly unknown[]): void {
  evaluation.charge(list.length);
  if (LIST_CHANGES.has(name)) {
    evaluation.assertChangeable(list);
    if (name === 'sort' && typeof args[0] !== 'function') chargeText(evaluation, list);
    return;
  }
  need(LIST_METHODS.has(name));
  switch (name) {
    case 'join':
    case 'toString':
      chargeText(evaluation, list);
      return need(typeof args[0] !== 'object' && list.length * String(args[0] ?? ',').length <= evaluation.longestText);
    case 'toSorted':
      return typeof args[0] === 'function' ? undefined : chargeText(evaluation, list);
    case 'concat':
      for (const arg of args) if (Array.isArray(arg)) evaluation.charge(arg.length);
      return;
    case 'flat':
      return chargeFlat(evaluation, list, Number(args[0] ?? 1));
    default:
  }
}

function chargeFlat(evaluation: Evaluation, list: readonly unknown[], depth: number): void {
  if (!(depth >= 1)) return;
  for (const element of list) {
    if (!Array.isArray(element)) continue;
    evaluation.charge(element.length);
    if (depth > 1) chargeFlat(evaluation, element, depth - 1);
  }
}

/** Counts what turning a value into text has to visit, so that a small web of references cannot become a huge text. */
export function chargeText(evaluation: Evaluation, value: object): void {
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') evaluation.charge(next.length >> 6);
    else if (Array.isArray(next)) {
      evaluation.charge(next.length);
      for (const element of next) if (element !== undefined) open.push(element);
    } else if (typeof next === 'object' && next !== null && Object.getPrototypeOf(next) === Object.prototype) {
      evaluation.charge(1);
      for (const element of Object.values(next)) if (element !== undefined) open.push(element);
    }
  }
}
