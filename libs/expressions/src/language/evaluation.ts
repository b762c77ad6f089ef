import type { Item } from '@app/engine';
import type { Variables } from '../execution-data.ts';
import type { View } from '../n8n/view.ts';

/** Steps an expression may take in the worker's own thread: about two milliseconds. Beyond, the sandbox takes over. */
export const FAST_STEPS = 100_000;

/** The longest text and the longest list that are built outside the sandbox. */
export const FAST_TEXT = 1_000_000;
export const FAST_LIST = 100_000;

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
  #steps: number;
  #fresh: WeakSet<object> | undefined;

  constructor(view: View, itemIndex: number, variables: Variables | undefined, guarded: boolean) {
    this.view = view;
    this.itemIndex = itemIndex;
    this.variables = variables;
    this.guarded = guarded;
    this.#steps = guarded ? FAST_STEPS : Infinity;
  }

  get item(): Item | undefined {
    return this.view.items[this.itemIndex];
  }

  at(itemIndex: number): Evaluation {
    return new Evaluation(this.view, itemIndex, this.variables, this.guarded);
  }

  /** Begins the count anew, for another expression. */
  restart(): void {
    if (this.guarded) this.#steps = FAST_STEPS;
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
