import { MissingLink } from './evaluation.ts';
import type { Evaluation } from './evaluation.ts';

/** Spreads an iterable value behind a list. */
export function appendAll(evaluation: Evaluation, list: unknown[], value: unknown): void {
  if (Array.isArray(value)) {
    evaluation.charge(value.length);
    for (const element of value) list.push(element);
    return;
  }
  if (value === null || value === undefined || typeof (value as { [Symbol.iterator]?: unknown })[Symbol.iterator] !== 'function') {
    throw new MissingLink(`Spread syntax needs a list, and this is ${value === null ? 'null' : typeof value}`);
  }
  for (const element of value as Iterable<unknown>) {
    evaluation.charge(1);
    list.push(element);
  }
}
