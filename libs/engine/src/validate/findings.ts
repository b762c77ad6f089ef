import type { Problem } from '../problem.ts';

export type Fields = { readonly [key: string]: unknown };

/** Collects what is wrong; a check goes on after a finding. */
export class Findings {
  readonly problems: Problem[] = [];

  error(path: string, code: string, message: string, suggestion: string): void {
    this.problems.push({ severity: 'error', code, path, message, suggestion });
  }

  /** Answers what it was given, so that a check can stop where going on makes no sense. */
  require(holds: boolean, path: string, code: string, message: string, suggestion: string): boolean {
    if (!holds) this.error(path, code, message, suggestion);
    return holds;
  }

  oneOf(value: unknown, choices: readonly unknown[], path: string): boolean {
    return choices.includes(value) || this.require(false, path, 'unknown_value', `${show(value)} is not one of ${choices.map(show).join(', ')}.`, 'Choose one of these.');
  }

  whole(value: unknown, low: number, high: number, path: string): value is number {
    return isWhole(value, low, high) || this.require(false, path, 'out_of_range', `${show(value)} is not a whole number from ${low} to ${high}.`, `Use a number from ${low} to ${high}.`);
  }

  /** A list of different whole numbers in a range, for instance indexes. */
  wholes(value: unknown, high: number, path: string): value is readonly number[] {
    const numbers = Array.isArray(value) ? (value as readonly unknown[]) : undefined;
    if (!numbers) return this.require(false, path, 'wrong_type', `${show(value)} is not a list.`, 'Write a list of numbers.');
    if (!numbers.every((number, at) => this.whole(number, 0, high, `${path}[${at}]`))) return false;
    return new Set(numbers).size === numbers.length || this.require(false, path, 'duplicate', `${show(value)} names something twice.`, 'Name each once.');
  }
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isWhole(value: unknown, low: number, high: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high;
}

function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
