import type { Item } from '@app/engine';
import { ExpressionError } from '../errors.ts';
import type { Variables } from '../execution-data.ts';
import type { View } from '../n8n/view.ts';

/** What an evaluation may use in the worker's own thread. */
export interface Allowance {
  readonly steps: number;
  /** The longest text it may build. */
  readonly text: number;
}

/** For expressions with loops, functions and patterns: about two milliseconds. Beyond, the sandbox takes over. */
export const FRUGAL: Allowance = { steps: 100_000, text: 1_000_000 };

/** For those without: what they use grows with the data alone, and large data must not make them fail. */
export const GENEROUS: Allowance = { steps: 20_000_000, text: 64_000_000 };

/** The longest list whose length an argument chooses. */
export const FAST_LIST = 100_000;

/**
 * What even the sandbox refuses: a built-in method that walks a list of billions of holes can be stopped neither by
 * the time limit nor by the memory limit.
 */
const SANDBOX_LIST = 10_000_000;
const SANDBOX_TEXT = 20_000_000;

/** Thrown where an evaluation may not go on in the worker's own thread. Nothing has been changed by then. */
export const NEEDS_SANDBOX: unique symbol = Symbol('needs sandbox');

/** A read or call on null or undefined: a TypeError without the price of a stack trace, as it is nearly always swallowed. */
export class MissingLink {
  readonly #reason: string;

  constructor(reason: string) {
    this.#reason = reason;
  }

  toError(): TypeError {
    return new TypeError(this.#reason);
  }
}

/** One evaluation of one expression for one item. */
export class Evaluation {
  readonly view: View;
  readonly itemIndex: number;
  readonly variables: Variables | undefined;
  /** True in the worker's own thread: only known functions are called, and steps are counted. */
  readonly guarded: boolean;
  readonly #allowance: Allowance;
  #steps: number;
  #fresh: WeakSet<object> | undefined;

  constructor(view: View, itemIndex: number, variables: Variables | undefined, guarded: boolean, allowance: Allowance = FRUGAL) {
    this.view = view;
    this.itemIndex = itemIndex;
    this.variables = variables;
    this.guarded = guarded;
    this.#allowance = allowance;
    this.#steps = guarded ? allowance.steps : Infinity;
  }

  get item(): Item | undefined {
    return this.view.items[this.itemIndex];
  }

  at(itemIndex: number): Evaluation {
    return new Evaluation(this.view, itemIndex, this.variables, this.guarded, this.#allowance);
  }

  /** Begins the count anew, for another expression. */
  restart(): void {
    if (this.guarded) this.#steps = this.#allowance.steps;
  }

  /** The length from which on a text is too long to be built here. */
  get longestText(): number {
    return this.guarded ? this.#allowance.text : SANDBOX_TEXT;
  }

  get longestList(): number {
    return this.guarded ? FAST_LIST : SANDBOX_LIST;
  }

  /** What to throw for a value that is too large to be built: the sandbox may be able to, or nobody is. */
  tooLarge(): unknown {
    if (this.guarded) return NEEDS_SANDBOX;
    return new ExpressionError(
      'expression_too_large',
      'The expression builds a text or a list that is too large',
      'Move the logic to a Code node and handle the data in parts.',
    );
  }

  charge(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw NEEDS_SANDBOX;
  }

  /** Remembers a value as made by this evaluation: only such values may be changed outside the sandbox. */
  made<T>(value: T): T {
    if (typeof value === 'object' && value !== null) (this.#fresh ??= new WeakSet()).add(value);
    return value;
  }

  assertChangeable(value: object): void {
    if (this.guarded && !this.#fresh?.has(value)) throw NEEDS_SANDBOX;
  }
}
