import type { AnyNode } from 'acorn';
import { ExpressionError } from '../errors.ts';
import type { Run, Scope } from './frame.ts';

type Compile = (node: AnyNode, scope: Scope, unit: Unit) => Run;

/** What the compiler notes about a piece of source while it walks it. */
export class Unit {
  /** Names of nodes that stand in the source. */
  readonly nodes = new Set<string>();
  /** A node is named by a value that is known only when the expression runs. */
  dynamicNodes = false;
  /** The pairing of items is followed. */
  lineage = false;
  /** The source changes values, so data it may have been given must not be shared. */
  changes = false;
  /** Only the run can tell whether the sandbox is needed: such expressions are evaluated ahead of time. */
  uncertain = false;
  /** Depth of object literals around the node being compiled, within the same function. */
  objectLiterals = 0;
  readonly #compile: Compile;

  constructor(compile: Compile) {
    this.#compile = compile;
  }

  /** Each kind of syntax is compiled in a file of its own; they reach each other through here. */
  compile(node: AnyNode, scope: Scope): Run {
    return this.#compile(node, scope, this);
  }
}

/** Source that is no valid expression; caught where the template is compiled. */
export class SyntaxProblem extends Error {}

export function unsupported(what: string): ExpressionError {
  return new ExpressionError('expression_syntax', `${what} cannot be used in an expression`, 'Move the logic to a Code node.');
}
