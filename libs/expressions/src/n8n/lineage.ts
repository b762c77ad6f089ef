import type { Item, PairedItem, Pairing, Source } from '@app/engine';
import { ExpressionError } from '../errors.ts';
import type { ExecutionData, NodeRun } from '../execution-data.ts';

/** Where a walk from one item towards one node ends. */
type Ending =
  | { readonly kind: 'item'; readonly item: Item }
  | { readonly kind: 'no path' }
  | { readonly kind: 'ambiguous' }
  | { readonly kind: 'unpaired'; readonly node: string };

const NO_PATH: Ending = { kind: 'no path' };

/**
 * Follows the pairing of items back through the runs of an execution. The ancestry of an item is a graph in which the
 * number of paths can grow exponentially with the number of merges, so every (target, run, output, item) is walked once.
 */
export class Lineage {
  readonly #data: ExecutionData;
  readonly #endings = new Map<string, Ending>();

  constructor(data: ExecutionData) {
    this.#data = data;
  }

  /** The item of `target` that item `itemIndex` of an input of the current node descends from. */
  ancestorItem(target: string, inputIndex: number, itemIndex: number): Item | undefined {
    const data = this.#data;
    if (!data.runsOf(target) || !data.isAncestor(target)) {
      throw new ExpressionError(
        'expression_paired_item',
        `Invalid expression: no item of node "${target}" can be paired with this one`,
        data.runsOf(target)
          ? `There is no path from "${target}" to this node. Use .first(), .last() or .all() instead of .item.`
          : `Node "${target}" has not run yet.`,
      );
    }
    const pairing = data.inputs[inputIndex]?.[itemIndex] ? { item: itemIndex, input: inputIndex } : undefined;
    if (!pairing) return undefined;
    const source = data.inputSources[inputIndex] ?? data.inputSources[0];
    return this.#conclude(target, source ? this.#walk(target, source, itemIndex) : NO_PATH);
  }

  #conclude(target: string, ending: Ending): Item | undefined {
    switch (ending.kind) {
      case 'item':
        return ending.item;
      case 'no path':
        return undefined;
      case 'ambiguous':
        throw new ExpressionError(
          'expression_paired_item',
          `Multiple matches found: several items of node "${target}" are paired with this one`,
          'Use .first(), .last() or .all() instead of .item, or reduce the items before.',
        );
      case 'unpaired':
        throw new ExpressionError(
          'expression_paired_item',
          `Paired item data is unavailable: node "${ending.node}" does not say which of its input items an item came from`,
          `Let "${ending.node}" set pairedItem on its items, or use .first(), .last() or .all() instead of .item.`,
        );
    }
  }

  #walk(target: string, source: Source, itemIndex: number): Ending {
    const key = `${source.previousNodeRun} ${source.previousNodeOutput} ${itemIndex} ${source.previousNode}\n${target}`;
    const known = this.#endings.get(key);
    if (known) return known;
    // A cycle of pairings would be a defect of a node; it has no end, hence no path.
    this.#endings.set(key, NO_PATH);
    const ending = this.#step(target, source, itemIndex);
    this.#endings.set(key, ending);
    return ending;
  }

  #step(target: string, source: Source, itemIndex: number): Ending {
    const { previousNode } = source;
    const run = this.#data.runsOf(previousNode)?.run(source.previousNodeRun);
    const item = run?.outputs[source.previousNodeOutput]?.[itemIndex];
    if (!run || !item) return { kind: 'unpaired', node: previousNode };
    if (previousNode === target) return { kind: 'item', item };
    if (item.pairedItem === undefined || item.pairedItem === null)
      return run.sources.some(Boolean) ? { kind: 'unpaired', node: previousNode } : NO_PATH;
    return this.#follow(target, run, item.pairedItem, previousNode);
  }

  #follow(target: string, run: NodeRun, pairing: Pairing, node: string): Ending {
    if (!isList(pairing)) return this.#followOne(target, run, pairing);
    let found: Ending = pairing.length === 0 ? { kind: 'unpaired', node } : NO_PATH;
    for (const one of pairing) {
      const ending = this.#followOne(target, run, one);
      if (ending.kind === 'item') {
        if (found.kind === 'item' && found.item !== ending.item) return { kind: 'ambiguous' };
        found = ending;
      } else if (ending.kind === 'ambiguous') {
        return ending;
      } else if (found.kind === 'no path') {
        found = ending;
      }
    }
    return found;
  }

  #followOne(target: string, run: NodeRun, pairing: number | PairedItem): Ending {
    const paired: PairedItem = typeof pairing === 'number' ? { item: pairing } : pairing;
    const source = paired.sourceOverwrite ?? run.sources[paired.input ?? 0];
    return source ? this.#walk(target, source, paired.item) : NO_PATH;
  }
}

function isList(pairing: Pairing): pairing is readonly (number | PairedItem)[] {
  return Array.isArray(pairing);
}
