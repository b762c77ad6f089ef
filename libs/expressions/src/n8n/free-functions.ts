import { search } from 'jmespath';
import { ExpressionError, ExpressionExtensionError } from '../errors.ts';
import { NEEDS_SANDBOX } from '../language/evaluation.ts';
import type { Evaluation } from '../language/evaluation.ts';
import { allow, allowDeep, chargeText } from '../language/guards.ts';

const isEmpty = (value: unknown): boolean => {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype && Object.keys(value).length === 0;
};

function ifEmpty(...args: unknown[]): unknown {
  if (args.length !== 2)
    throw new ExpressionExtensionError(
      `$ifEmpty() takes two arguments and got ${args.length}`,
      'The value, and what to use when it is empty: $ifEmpty($json.name, "nobody").',
    );
  return isEmpty(args[0]) ? args[1] : args[0];
}

const min = (...numbers: number[]): number => Math.min(...numbers);
const max = (...numbers: number[]): number => Math.max(...numbers);
const average = (...numbers: number[]): number => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const not = (value: unknown): boolean => !value;

function zip(keys: unknown, values: unknown): Record<string, unknown> {
  if (!Array.isArray(keys) || !Array.isArray(values) || keys.length !== values.length) {
    throw new ExpressionExtensionError(
      'zip() needs two lists of the same length',
      'The first holds the keys, the second the values: zip(["a", "b"], [1, 2]).',
    );
  }
  return Object.fromEntries(keys.map((key, index) => [String(key), values[index]]));
}

function jmespath(value: unknown, query: unknown): unknown {
  // The other order of arguments is a frequent mistake with an obvious meaning.
  const [data, text] = typeof value === 'string' && typeof query === 'object' ? [query, value] : [value, query];
  if (typeof text !== 'string')
    throw new ExpressionError(
      'expression_argument',
      '$jmespath() needs a value and a query text',
      'For instance $jmespath($json, "people[?age > `20`].name").',
    );
  return search(data, text);
}

allow(ifEmpty, not);
allowDeep(min, max, average, zip);

function numberListOf(evaluation: Evaluation): (start: number, end: number) => number[] {
  const numberList = (start: number, end: number): number[] => {
    const length = Math.abs(end - start) + 1;
    if (length > evaluation.longestList) throw evaluation.tooLarge();
    evaluation.charge(length);
    const step = end < start ? -1 : 1;
    return evaluation.made(Array.from({ length }, (_, index) => start + index * step));
  };
  allow(numberList);
  return numberList;
}

/** A query can repeat its input with every comma of a `[a, b]`, so that few signs make a huge result. */
const MOST_COMMAS = 8;
const LONGEST_QUERY = 500;

function jmespathOf(evaluation: Evaluation): typeof jmespath {
  if (!evaluation.guarded) return jmespath;
  const guarded = (value: unknown, query: unknown): unknown => {
    for (const arg of [value, query]) {
      if (typeof arg === 'object' && arg !== null) chargeText(evaluation, arg);
      else if (typeof arg === 'string' && (arg.length > LONGEST_QUERY || arg.split(',').length > MOST_COMMAS)) throw NEEDS_SANDBOX;
    }
    return jmespath(value, query);
  };
  allow(guarded);
  return guarded;
}

/** The functions of the language that stand for themselves. */
export const FREE_FUNCTIONS: Readonly<Record<string, (evaluation: Evaluation) => unknown>> = {
  $ifEmpty: () => ifEmpty,
  $min: () => min,
  min: () => min,
  $max: () => max,
  max: () => max,
  $average: () => average,
  average: () => average,
  $not: () => not,
  not: () => not,
  zip: () => zip,
  numberList: numberListOf,
  $jmespath: jmespathOf,
};
