import type { Item, JsonObject } from '@app/engine';
import { ExpressionError } from '../errors.ts';
import type { Evaluation } from '../language/evaluation.ts';

/** What `$input` gives. `perItem`: within code that runs once for each item the whole list is out of reach. */
export class InputReference {
  readonly #evaluation: Evaluation;
  readonly #perItem: boolean;

  constructor(evaluation: Evaluation, perItem = false) {
    this.#evaluation = evaluation;
    this.#perItem = perItem;
  }

  get item(): Item | undefined {
    return this.#evaluation.item;
  }

  first(...args: unknown[]): Item | undefined {
    return this.#items('first', args)[0];
  }

  last(...args: unknown[]): Item | undefined {
    return this.#items('last', args).at(-1);
  }

  all(...args: unknown[]): readonly Item[] {
    return this.#items('all', args);
  }

  get params(): JsonObject {
    const previous = this.#previousNode();
    return (previous === undefined ? undefined : this.#evaluation.view.data.parametersOf(previous)) ?? {};
  }

  get context(): JsonObject {
    const previous = this.#previousNode();
    return previous === undefined ? {} : this.#evaluation.view.data.contextOf(previous);
  }

  #previousNode(): string | undefined {
    const { data, inputIndex } = this.#evaluation.view;
    return (data.inputSources[inputIndex] ?? data.inputSources[0])?.previousNode;
  }

  #items(method: string, args: unknown[]): readonly Item[] {
    if (this.#perItem) {
      throw new ExpressionError(
        'expression_unavailable',
        `Can't use .${method}() here`,
        `The code runs once for each item: use $input.item, or switch the node to "Run once for all items".`,
      );
    }
    if (args.length > 0) {
      throw new ExpressionError(
        'expression_argument',
        `$input.${method}() takes no arguments`,
        `For another output or run of a node use $("Name").${method}(branch, run).`,
      );
    }
    return this.#evaluation.view.items;
  }
}
