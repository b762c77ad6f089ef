import type { Item } from '../item.ts';

type Outputs = readonly (readonly Item[] | null)[];

/**
 * Pairs items that their node left unpaired, where it is obvious: with the only input item; position by position when
 * one input and one output have the same length; the single output item with the first of several. Otherwise the rest
 * stays unpaired. Existing pairings are kept.
 */
export function fillPairing(outputs: Outputs, inputs: Outputs): Outputs {
  if (!outputs.some((items) => items?.some((item) => item.pairedItem === undefined))) return outputs;
  const pair = rule(outputs, inputs);
  if (!pair) return outputs;
  return outputs.map((items) => items && items.map((item, index) => (item.pairedItem === undefined ? { ...item, pairedItem: { item: pair(index) } } : item)));
}

function rule(outputs: Outputs, inputs: Outputs): ((index: number) => number) | null {
  const only = inputs.length === 1 ? inputs[0] : null;
  if (!only) return null;
  if (only.length === 1) return () => 0;
  if (outputs.length !== 1) return null;
  if (outputs[0]?.length === only.length) return (index) => index;
  if (outputs[0]?.length === 1 && only.length > 1) return () => 0;
  return null;
}
