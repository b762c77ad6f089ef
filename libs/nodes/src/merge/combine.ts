import type { Item, JsonObject } from '@app/engine';
import type { NodeContext } from '../node-context.ts';
import { clashRules, mergeItems } from './clash.ts';
import { passed, placed, refuseTooMany } from './pairing.ts';

/** All items, input after input. */
export const append = (inputs: readonly (readonly Item[])[]): Item[] =>
  inputs.flatMap((items, input) => placed(items, input).map(passed));

/** The first items of all inputs together, then the second ones, and so on. */
export function combineByPosition(context: NodeContext, inputs: readonly (readonly Item[])[]): Item[] {
  const options = context.parameter<JsonObject>('options', 0, {});
  const rules = clashRules(options, inputs.length - 1, inputs.length);
  const lengths = inputs.map((items) => items.length);
  const rows = options['includeUnpaired'] === true ? Math.max(...lengths) : Math.min(...lengths);
  const sides = inputs.map((items, input) => placed(items, input));
  return Array.from({ length: rows }, (_, row) => {
    const merged = mergeItems(
      sides.flatMap((side) => side[row] ?? []),
      rules,
    );
    // The last input keeps its own names beside the suffixed ones: n8n does so, and workflows read them.
    const last = rules.resolve === 'addSuffix' ? sides.at(-1)?.[row] : undefined;
    return last ? { ...merged, json: { ...merged.json, ...last.item.json } } : merged;
  });
}

/** Every item of input 1 with every item of input 2. */
export function combineAll(context: NodeContext, left: readonly Item[], right: readonly Item[]): Item[] {
  const rules = clashRules(context.parameter<JsonObject>('options', 0, {}), 1, 2);
  refuseTooMany(left.length * right.length);
  const rights = placed(right, 1);
  const combined: Item[] = [];
  for (const part of placed(left, 0)) {
    context.signal.throwIfAborted();
    for (const other of rights) combined.push(mergeItems([part, other], rules));
  }
  return combined;
}

/** One empty item that stands for everything that arrived. */
export const emptyItem = (inputs: readonly (readonly Item[])[]): Item => ({
  json: {},
  pairedItem: inputs.flatMap((items, input) => placed(items, input).map(({ place }) => place)),
});
