import type { Evaluation } from '../language/evaluation.ts';

/** A method the language adds to the values of one type. The arguments are unchecked: they come from authors. */
export type Extension<T> = (value: T, args: readonly unknown[], evaluation: Evaluation) => unknown;

export type Extensions<T> = Readonly<Record<string, Extension<T>>>;
