import type { Item, PairedItem } from '../item.ts';

type Outputs = readonly (readonly Item[] | null)[];

/** A node told to always output something: an empty first output becomes one empty item paired with all input items. */
export function alwaysOutput(outputs: Outputs | null, inputs: Outputs): Outputs {
  if (outputs?.[0]?.[0]) return outputs;
  const pairedItem: PairedItem[] = inputs.flatMap((items, input) => (items ?? []).map((_, item) => (input === 0 ? { item } : { item, input })));
  return [[{ json: {}, pairedItem }], ...(outputs ?? []).slice(1)];
}
