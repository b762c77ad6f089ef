import { ExpressionExtensionError } from '../errors.ts';
import type { Extensions } from './extension.ts';
import { compactObject, isFields, isHollow } from './object.ts';
import { identity, unique } from './same.ts';

type List = readonly unknown[];

function numbers(list: List, method: string): readonly number[] {
  if (!list.every((value) => typeof value === 'number'))
    throw new ExpressionExtensionError(
      `${method}() works on lists of numbers only`,
      `Convert first, for instance .map(x => Number(x)).${method}().`,
    );
  return list;
}

const sum = (list: readonly number[]): number => list.reduce((total, number) => total + number, 0);

function otherList(args: List, method: string): List {
  const [other] = args;
  if (!Array.isArray(other))
    throw new ExpressionExtensionError(`${method}() needs a list`, `For instance .${method}([{ id: 1, otherValue: 3 }]).`);
  return other;
}

function uniqueBy(list: List, keys: List): unknown[] {
  if (keys.length === 0) return unique(list);
  return unique(list, (value) => identity(isFields(value) ? keys.map((key) => value[String(key)]) : value));
}

function pluck(list: List, fields: List): List {
  if (fields.length === 0) return list;
  const result: unknown[] = [];
  for (const element of list) {
    if (!isFields(element)) continue;
    const values = fields.map((field) => element[String(field)]);
    if (fields.length > 1) result.push(values);
    else if (values[0] !== undefined) result.push(values[0]);
  }
  return result;
}

function chunk(list: List, [size]: List): unknown[][] {
  const length = Number(size);
  if (typeof size !== 'number' || !(length >= 1))
    throw new ExpressionExtensionError('chunk() needs a size of at least 1', 'For instance .chunk(10).');
  const chunks: unknown[][] = [];
  for (let from = 0; from < list.length; from += Math.floor(length)) chunks.push(list.slice(from, from + Math.floor(length)));
  return chunks;
}

function smartJoin(list: List, [keyField, valueField]: List): object {
  if (!keyField || !valueField)
    throw new ExpressionExtensionError(
      'smartJoin() needs the name of a key field and of a value field',
      'For instance .smartJoin("name", "value").',
    );
  const pairs = list
    .filter(isFields)
    .filter((element) => Object.hasOwn(element, String(keyField)) && Object.hasOwn(element, String(valueField)));
  return Object.fromEntries(pairs.map((element) => [String(element[String(keyField)]), element[String(valueField)]]));
}

function renameKeys(list: List, names: List): unknown[] {
  if (names.length === 0 || names.length % 2 !== 0)
    throw new ExpressionExtensionError(
      `renameKeys() takes pairs of names and got ${names.length} argument(s)`,
      'For instance .renameKeys("old", "new").',
    );
  return list.map((element) => {
    if (!isFields(element)) return element;
    const result = { ...element };
    for (let at = 0; at < names.length; at += 2) {
      const from = String(names[at]);
      if (!Object.hasOwn(result, from)) continue;
      const value = result[from];
      delete result[from];
      result[String(names[at + 1])] = value;
    }
    return result;
  });
}

/** Pair by pair; within a pair the receiver's fields win, later pairs overwrite earlier ones. */
function mergePairs(list: List, other: List, unpaired: boolean): object {
  const length = unpaired ? Math.max(list.length, other.length) : Math.min(list.length, other.length);
  const result: Record<string, unknown> = {};
  for (let at = 0; at < length; at++) Object.assign(result, fieldsOf(other[at]), fieldsOf(list[at]));
  return result;
}

const fieldsOf = (value: unknown): object => (isFields(value) ? value : {});

function merge(list: List, args: List): object {
  if (args.length > 0) return mergePairs(list, otherList(args, 'merge'), false);
  return list.reduceRight<Record<string, unknown>>((result, element) => Object.assign(result, fieldsOf(element)), {});
}

const identities = (list: List): Set<string> => new Set(list.map(identity));

function extreme(pick: (...numbers: number[]) => number, method: string) {
  // Not Math.min(...list): a long list does not fit on the stack.
  return (list: List): number => numbers(list, method).reduce((best, number) => pick(best, number), pick());
}

export const ARRAY_EXTENSIONS: Extensions<List> = {
  first: (list) => list[0],
  last: (list) => list.at(-1),
  randomItem: (list) => list[Math.floor(Math.random() * list.length)],
  reverse: (list) => list.toReversed(),
  unique: uniqueBy,
  removeDuplicates: uniqueBy,
  pluck,
  sum: (list) => sum(numbers(list, 'sum')),
  min: extreme(Math.min, 'min'),
  max: extreme(Math.max, 'max'),
  average: (list) => (list.length === 0 ? 0 : sum(numbers(list, 'average')) / list.length),
  compact: (list) =>
    list
      .filter((element) => !isHollow(element))
      .map((element) => (isFields(element) && Object.getPrototypeOf(element) === Object.prototype ? compactObject(element) : element)),
  chunk,
  smartJoin,
  renameKeys,
  merge,
  mergeIntoObject: (list, args) => mergePairs(list, otherList(args, 'mergeIntoObject'), true),
  union: (list, args) => unique([...list, ...otherList(args, 'union')]),
  difference: (list, args) => {
    const others = identities(otherList(args, 'difference'));
    return unique(list).filter((value) => !others.has(identity(value)));
  },
  intersection: (list, args) => {
    const others = identities(otherList(args, 'intersection'));
    return unique(list).filter((value) => others.has(identity(value)));
  },
  append: (list, elements) => [...list, ...elements],
  isEmpty: (list) => list.length === 0,
  isNotEmpty: (list) => list.length > 0,
  toJsonString: (list) => JSON.stringify(list),
  toInt: () => undefined,
  toFloat: () => undefined,
  toBoolean: () => undefined,
  toDateTime: () => undefined,
};
