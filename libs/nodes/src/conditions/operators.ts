import type { DateTime } from 'luxon';
import { AuthorPattern } from '../author-pattern.ts';

/** Compares two values that already have the type the operator asks for; null and undefined may occur in any type. */
export type Comparison = (left: unknown, right: unknown, ignoreCase: boolean) => boolean;

type Table = { readonly [operation: string]: Comparison };

const exists = (value: unknown): boolean => value !== undefined && value !== null && !Number.isNaN(value);

const presence: Table = {
  exists: (left) => exists(left),
  notExists: (left) => !exists(left),
};

const string = (compare: (left: string, right: string) => boolean): Comparison => {
  return (left, right, ignoreCase) => {
    const a = (left ?? '') as string;
    const b = (right ?? '') as string;
    return ignoreCase ? compare(a.toLocaleLowerCase(), b.toLocaleLowerCase()) : compare(a, b);
  };
};

/** Patterns are never lower-cased: `\D` and `\d` differ. */
const pattern = (wanted: boolean): Comparison => {
  return (left, right, ignoreCase) => {
    const subject = (left ?? '') as string;
    return regexOf((right ?? '') as string).test(ignoreCase ? subject.toLocaleLowerCase() : subject) === wanted;
  };
};

/** A pattern as plain text, or as a literal with flags: `/^a/i`. */
export function regexOf(text: string): AuthorPattern {
  const literal = /^\/(.*)\/([a-z]*)$/su.exec(text);
  return literal ? new AuthorPattern(literal[1]!, literal[2]!.replace(/[gy]/g, '')) : new AuthorPattern(text);
}

const strings: Table = {
  empty: string((a) => a.length === 0),
  notEmpty: string((a) => a.length > 0),
  equals: string((a, b) => a === b),
  notEquals: string((a, b) => a !== b),
  contains: string((a, b) => a.includes(b)),
  notContains: string((a, b) => !a.includes(b)),
  startsWith: string((a, b) => a.startsWith(b)),
  notStartsWith: string((a, b) => !a.startsWith(b)),
  endsWith: string((a, b) => a.endsWith(b)),
  notEndsWith: string((a, b) => !a.endsWith(b)),
  regex: pattern(true),
  notRegex: pattern(false),
};

const number = (compare: (left: number, right: number) => boolean): Comparison => {
  return (left, right) => compare(left as number, right as number);
};

const numbers: Table = {
  empty: (left) => !exists(left),
  notEmpty: (left) => exists(left),
  equals: (left, right) => left === right,
  notEquals: (left, right) => left !== right,
  gt: number((a, b) => a > b),
  lt: number((a, b) => a < b),
  gte: number((a, b) => a >= b),
  lte: number((a, b) => a <= b),
};

/** A date that is missing on either side never matches. */
const date = (compare: (left: number, right: number) => boolean): Comparison => {
  return (left, right) =>
    exists(left) && exists(right) && compare((left as DateTime).toMillis(), (right as DateTime).toMillis());
};

const dates: Table = {
  empty: (left) => !exists(left),
  notEmpty: (left) => exists(left),
  equals: date((a, b) => a === b),
  notEquals: date((a, b) => a !== b),
  after: date((a, b) => a > b),
  before: date((a, b) => a < b),
  afterOrEquals: date((a, b) => a >= b),
  beforeOrEquals: date((a, b) => a <= b),
};

const booleans: Table = {
  empty: (left) => !exists(left),
  notEmpty: (left) => exists(left),
  true: (left) => Boolean(left),
  false: (left) => !left,
  equals: (left, right) => left === right,
  notEquals: (left, right) => left !== right,
};

const length = (compare: (length: number, wanted: number) => boolean): Comparison => {
  return (left, right) => compare(((left ?? []) as readonly unknown[]).length, right as number);
};

const includes: Comparison = (left, right, ignoreCase) => {
  const list = (left ?? []) as readonly unknown[];
  if (!ignoreCase || typeof right !== 'string') return list.includes(right);
  const wanted = right.toLocaleLowerCase();
  return list.some((element) => typeof element === 'string' && element.toLocaleLowerCase() === wanted);
};

const lists: Table = {
  empty: length((size) => size === 0),
  notEmpty: length((size) => size > 0),
  contains: includes,
  notContains: (left, right, ignoreCase) => !includes(left, right, ignoreCase),
  lengthEquals: length((size, wanted) => size === wanted),
  lengthNotEquals: length((size, wanted) => size !== wanted),
  lengthGt: length((size, wanted) => size > wanted),
  lengthLt: length((size, wanted) => size < wanted),
  lengthGte: length((size, wanted) => size >= wanted),
  lengthLte: length((size, wanted) => size <= wanted),
};

const objects: Table = {
  empty: (left) => !exists(left) || Object.keys(left as object).length === 0,
  notEmpty: (left) => exists(left) && Object.keys(left as object).length > 0,
};

const tables: { readonly [type: string]: Table } = {
  string: strings,
  number: numbers,
  dateTime: dates,
  boolean: booleans,
  array: lists,
  object: objects,
};

const never: Comparison = () => false;

/** The comparison an operator names; one that nobody knows is never true. */
export function comparisonFor(type: string, operation: string): Comparison {
  return own(presence, operation) ?? own(own(tables, type) ?? {}, operation) ?? never;
}

const own = <T>(table: { readonly [key: string]: T }, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
