import type { Json } from '@app/engine';
import { DateTime, Duration, Interval } from 'luxon';
import { ExpressionError } from './errors.ts';
import type { Evaluation } from './language/evaluation.ts';

/**
 * What leaves an evaluation: plain values that belong to nobody else. Dates become ISO text, whatever JSON has no
 * form for becomes an empty object, and functions are refused.
 */
export function toResult(value: unknown, evaluation: Evaluation): Json {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'undefined':
      return value;
    case 'bigint':
      return value.toString();
    case 'object':
      return value === null ? null : copy(value, evaluation, 0);
    case 'symbol':
      return undefined;
    default:
      throw functionResult(value);
  }
}

/** Deeper data is refused: it cannot be stored either. */
const DEEPEST = 500;

function copy(value: object, evaluation: Evaluation, depth: number): Json {
  if (depth > DEEPEST)
    throw new ExpressionError('expression_too_large', 'The result of the expression is nested too deeply or contains itself');
  if (Array.isArray(value)) {
    evaluation.charge(value.length);
    return value.map((element: unknown) => part(element, evaluation, depth));
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    const special = specialValue(value);
    if (special !== undefined) return special;
  }
  const result: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    evaluation.charge(1);
    result[key] = part((value as Record<string, unknown>)[key], evaluation, depth);
  }
  return result;
}

function part(value: unknown, evaluation: Evaluation, depth: number): Json {
  return typeof value === 'object' && value !== null ? copy(value, evaluation, depth + 1) : toResult(value, evaluation);
}

function specialValue(value: object): Json {
  if (DateTime.isDateTime(value) || Duration.isDuration(value) || Interval.isInterval(value)) return value.toISO();
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Map || value instanceof Set || value instanceof RegExp) return {};
  if (value instanceof Error) return { name: value.name, message: value.message };
  return undefined;
}

function functionResult(value: unknown): ExpressionError {
  // Functions of our own have names that mean nothing to an author.
  const isNative = typeof value === 'function' && Function.prototype.toString.call(value).includes('[native code]');
  const name = isNative ? ` (${(value as { name: string }).name})` : '';
  return new ExpressionError(
    'expression_function_result',
    `The expression gives a function${name} instead of a value`,
    'Add () behind it to call it.',
  );
}

/** A chunk within a text: nothing for what is missing, otherwise what JavaScript makes of it. */
export function toText(value: unknown): string {
  if (typeof value === 'function') throw functionResult(value);
  if (value === 0 || value === false) return String(value);
  return value ? String(value) : '';
}
