import type { Item } from '../item.ts';

/**
 * What a node sees: its own shallow copies of the items, each paired with its position in this input. Older lineage
 * is replaced; ancestry is followed through the source of each run.
 */
export function stampLineage(inputs: readonly (readonly Item[] | null)[]): (Item[] | null)[] {
  return inputs.map((items, input) => items && items.map((item, index) => ({ ...item, pairedItem: input === 0 ? { item: index } : { item: index, input } })));
}
