import { NodeError } from '../node-error.ts';
import { toDateTime } from '../values/date.ts';
import { regexOf } from './operators.ts';

export type LegacyKind = 'boolean' | 'dateTime' | 'number' | 'string';

type Operation = (left: unknown, right: unknown) => boolean;

const textOf = (value: unknown): string => String(value || '');
const numberOf = (value: unknown): number => (value || 0) as number;

const matches: Operation = (left, right) => regexOf(textOf(right)).test(textOf(left));

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || Number.isNaN(value)) return true;
  return typeof value === 'object' && !(value instanceof Date) && Object.entries(value).length === 0;
}

/** The operations of the first versions of If, Filter and Switch: no typing, comparisons as JavaScript does them. */
const operations: { readonly [name: string]: Operation } = {
  after: (left, right) => numberOf(left) > numberOf(right),
  before: (left, right) => numberOf(left) < numberOf(right),
  contains: (left, right) => textOf(left).includes(textOf(right)),
  notContains: (left, right) => !textOf(left).includes(textOf(right)),
  startsWith: (left, right) => textOf(left).startsWith(textOf(right)),
  notStartsWith: (left, right) => !textOf(left).startsWith(textOf(right)),
  endsWith: (left, right) => textOf(left).endsWith(textOf(right)),
  notEndsWith: (left, right) => !textOf(left).endsWith(textOf(right)),
  equal: (left, right) => left === right,
  notEqual: (left, right) => left !== right,
  larger: (left, right) => numberOf(left) > numberOf(right),
  largerEqual: (left, right) => numberOf(left) >= numberOf(right),
  smaller: (left, right) => numberOf(left) < numberOf(right),
  smallerEqual: (left, right) => numberOf(left) <= numberOf(right),
  isEmpty: (left) => isEmpty(left),
  isNotEmpty: (left) => !isEmpty(left),
  regex: matches,
  notRegex: (left, right) => !matches(left, right),
};

/** Operations meant when none is stored, by kind of value. */
export const legacyDefaults: { readonly [kind in LegacyKind]: string } = {
  boolean: 'equal',
  dateTime: 'after',
  number: 'smaller',
  string: 'equal',
};

export function legacyHolds(kind: LegacyKind, operation: string, left: unknown, right: unknown, zone: string): boolean {
  const compare = Object.hasOwn(operations, operation) ? operations[operation]! : undefined;
  if (!compare) throw new NodeError(`Unknown operation "${operation}". Choose one of ${Object.keys(operations).join(', ')}.`);
  const isDate = kind === 'dateTime' && (operation === 'after' || operation === 'before');
  return isDate ? compare(millisOf(left, zone), millisOf(right, zone)) : compare(left, right);
}

function millisOf(value: unknown, zone: string): number {
  const moment = toDateTime(value, zone);
  if (!moment) throw new NodeError(`The value "${String(value)}" is not a date. Give an ISO 8601 text or milliseconds.`);
  return moment.toMillis();
}
