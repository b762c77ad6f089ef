import type { JsonObject } from '@app/engine';
import { ExpressionError } from '../errors.ts';
import type { Evaluation } from '../language/evaluation.ts';
import { visibleBinary } from './binary.ts';
import { itemsOf, runOf, unknownNode } from './node-reference.ts';

/** What `$node["Name"]` gives: the item with the same index, whatever its lineage. */
export class LegacyNode {
  readonly #evaluation: Evaluation;
  readonly #name: string;

  constructor(evaluation: Evaluation, name: string) {
    this.#evaluation = evaluation;
    this.#name = name;
    if (!evaluation.view.data.hasNode(name)) throw unknownNode(name);
  }

  get json(): JsonObject {
    return this.#item().json;
  }

  get data(): JsonObject {
    return this.json;
  }

  get binary(): object | undefined {
    return visibleBinary(this.#item().binary);
  }

  get parameter(): JsonObject {
    return this.#evaluation.view.data.parametersOf(this.#name) ?? {};
  }

  get context(): JsonObject {
    return this.#evaluation.view.data.contextOf(this.#name);
  }

  get runIndex(): number {
    runOf(this.#evaluation, this.#name, undefined);
    return (this.#evaluation.view.data.runsOf(this.#name)?.count ?? 0) - 1;
  }

  #item() {
    const { itemIndex } = this.#evaluation;
    const items = itemsOf(this.#evaluation, this.#name, undefined, undefined);
    const item = items[itemIndex];
    if (!item) {
      throw new ExpressionError(
        'expression_argument',
        `Node "${this.#name}" has ${items.length} item(s), so there is none with index ${itemIndex}`,
        `$node reads by position. $("${this.#name}").item follows the item's lineage.`,
      );
    }
    return item;
  }
}

/** `$node`: any property is the name of a node. */
export function legacyNodes(evaluation: Evaluation): object {
  return new Proxy(
    {},
    {
      get: (_target, name) => (typeof name === 'string' ? new LegacyNode(evaluation, name) : undefined),
      has: (_target, name) => typeof name === 'string' && evaluation.view.data.hasNode(name),
    },
  );
}
