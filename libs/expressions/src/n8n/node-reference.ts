import type { Item, JsonObject } from '@app/engine';
import { ExpressionError } from '../errors.ts';
import type { NodeRun } from '../execution-data.ts';
import type { Evaluation } from '../language/evaluation.ts';

/** What `$('Name')` gives. */
export class NodeReference {
  readonly #evaluation: Evaluation;
  readonly #name: string;

  constructor(evaluation: Evaluation, name: string) {
    this.#evaluation = evaluation;
    this.#name = name;
    if (!evaluation.view.data.hasNode(name)) throw unknownNode(name);
  }

  get item(): Item | undefined {
    return this.itemMatching(this.#evaluation.itemIndex);
  }

  pairedItem(itemIndex: number = this.#evaluation.itemIndex): Item | undefined {
    return this.itemMatching(itemIndex);
  }

  itemMatching(itemIndex: number): Item | undefined {
    if (typeof itemIndex !== 'number') {
      throw new ExpressionError(
        'expression_argument',
        `$("${this.#name}").itemMatching() needs the index of an item`,
        'For instance .itemMatching(0), or .item for the current one.',
      );
    }
    const { view } = this.#evaluation;
    return view.lineage.ancestorItem(this.#name, view.inputIndex, itemIndex);
  }

  first(branch?: number, run?: number): Item | undefined {
    return this.#items(branch, run)[0];
  }

  last(branch?: number, run?: number): Item | undefined {
    return this.#items(branch, run).at(-1);
  }

  all(branch?: number, run?: number): readonly Item[] {
    return this.#items(branch, run);
  }

  get isExecuted(): boolean {
    return this.#evaluation.view.data.runsOf(this.#name) !== undefined;
  }

  get params(): JsonObject {
    return this.#evaluation.view.data.parametersOf(this.#name) ?? {};
  }

  get context(): JsonObject {
    return this.#evaluation.view.data.contextOf(this.#name);
  }

  #items(branch: number | undefined, run: number | undefined): readonly Item[] {
    return itemsOf(this.#evaluation, this.#name, branch, run);
  }
}

/** Items of an output of a run of a node. Default: the output that leads here, the latest run. */
export function itemsOf(evaluation: Evaluation, name: string, branch: number | undefined, run: number | undefined): readonly Item[] {
  const output = branch ?? evaluation.view.data.outputTowards(name);
  return runOf(evaluation, name, run).outputs[output] ?? [];
}

export function runOf(evaluation: Evaluation, name: string, run: number | undefined): NodeRun {
  const { data } = evaluation.view;
  const runs = data.runsOf(name);
  if (!runs) {
    if (!data.hasNode(name)) throw unknownNode(name);
    throw new ExpressionError(
      'expression_node_not_executed',
      `Node "${name}" has not been executed, so its items cannot be read`,
      `Check $("${name}").isExecuted first, or connect the nodes so that "${name}" runs before.`,
    );
  }
  const index = run === undefined || run === -1 ? runs.count - 1 : run;
  const found = runs.run(index);
  if (!found)
    throw new ExpressionError(
      'expression_argument',
      `Run ${index} of node "${name}" not found: it has run ${runs.count} time(s)`,
      'Runs are counted from 0.',
    );
  return found;
}

export function unknownNode(name: string): ExpressionError {
  return new ExpressionError(
    'expression_unknown_node',
    `There is no node "${name}" in this workflow`,
    'Was the node renamed or removed? Names are case-sensitive.',
  );
}
