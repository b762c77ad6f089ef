import { ExpressionError } from '../errors.ts';
import { MissingLink } from './evaluation.ts';

/** Names that lead from a value to the machinery behind it. */
const BLOCKED = new Set(
  `
  constructor __proto__ prototype getPrototypeOf setPrototypeOf defineProperty defineProperties getOwnPropertyDescriptor
  getOwnPropertyDescriptors __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ caller callee arguments
  mainModule binding captureStackTrace prepareStackTrace
`
    .trim()
    .split(/\s+/),
);

export function isBlockedName(name: string): boolean {
  return BLOCKED.has(name);
}

export function blockedName(name: string): ExpressionError {
  return new ExpressionError(
    'expression_blocked',
    `Expressions cannot read "${name}": it leads out of the data`,
    'Rename the field if it is one of your own, for instance with a Code node.',
  );
}

/** The key of a computed member, as JavaScript would make it; blocked names are refused here, before any use. */
export function toKey(value: unknown): string | number | symbol {
  if (typeof value === 'number') return value;
  if (typeof value === 'symbol') return value;
  const key = typeof value === 'string' ? value : String(value);
  if (BLOCKED.has(key)) throw blockedName(key);
  return key;
}

export function readMember(object: unknown, key: string | number | symbol): unknown {
  if (object === null || object === undefined) throw missing(object, key);
  return (object as Record<string | number | symbol, unknown>)[key];
}

export function missing(object: null | undefined, key: string | number | symbol): MissingLink {
  return new MissingLink(`Cannot read properties of ${object} (reading '${String(key)}')`);
}

/** The value of a chain from the `?.` on that found nothing before it. */
export const SHORT: unique symbol = Symbol('short-circuit');
