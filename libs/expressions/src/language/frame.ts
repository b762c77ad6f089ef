import type { Evaluation } from './evaluation.ts';

/** The variables of one call of a function or one round of a block, found by position. */
export class Frame {
  readonly evaluation: Evaluation;
  readonly parent: Frame | undefined;
  readonly values: unknown[];

  constructor(evaluation: Evaluation, parent: Frame | undefined, values: unknown[]) {
    this.evaluation = evaluation;
    this.parent = parent;
    this.values = values;
  }
}

export type Run = (frame: Frame) => unknown;

/** The compile-time counterpart of a frame: which name has which position. */
export class Scope {
  readonly parent: Scope | undefined;
  /** Where `var` belongs. */
  readonly isFunction: boolean;
  readonly #positions = new Map<string, number>();

  constructor(parent: Scope | undefined, isFunction: boolean) {
    this.parent = parent;
    this.isFunction = isFunction;
  }

  declare(name: string): number {
    const known = this.#positions.get(name);
    if (known !== undefined) return known;
    this.#positions.set(name, this.#positions.size);
    return this.#positions.size - 1;
  }

  /** How many frames up, and where there. Undefined for a free name. */
  find(name: string): { readonly depth: number; readonly position: number } | undefined {
    let depth = 0;
    for (let scope: Scope | undefined = this; scope; scope = scope.parent, depth++) {
      const position = scope.#positions.get(name);
      if (position !== undefined) return { depth, position };
    }
    return undefined;
  }

  functionScope(): Scope {
    let scope: Scope = this;
    while (!scope.isFunction && scope.parent) scope = scope.parent;
    return scope;
  }
}

export function frameAt(frame: Frame, depth: number): Frame {
  let found = frame;
  for (let up = depth; up > 0; up--) found = found.parent!;
  return found;
}
