import type { ErrorShape, Item, PairedItem } from '../item.ts';
import type { JsonObject } from '../json.ts';

type Outputs = readonly (readonly Item[] | null)[];

/** An item that says its node failed on it. */
function isErrorItem(item: Item): boolean {
  if (item.error !== undefined) return true;
  const { error } = item.json;
  if (!error) return false;
  return Object.keys(item.json).every((key) => key === 'error' || key === 'message' || key === 'details');
}

/**
 * Moves error items of the regular outputs to the error output, the one behind them. An error item that is paired
 * with an input item gets that item's json underneath its own.
 */
export function routeErrorItems(outputs: Outputs, inputs: Outputs, errorOutput: number, hasSource: boolean): (readonly Item[])[] {
  const errors: Item[] = [];
  const kept = Array.from({ length: errorOutput }, (_, index) =>
    (outputs[index] ?? []).filter((item) => {
      if (!isErrorItem(item)) return true;
      errors.push(withInputUnderneath(item, inputs, hasSource));
      return false;
    }),
  );
  return [...kept, [...errors, ...(outputs[errorOutput] ?? [])]];
}

function withInputUnderneath(item: Item, inputs: Outputs, hasSource: boolean): Item {
  const pairing = Array.isArray(item.pairedItem) ? item.pairedItem[0] : item.pairedItem;
  if (pairing === undefined || !hasSource) return item;
  const { item: index, input } = typeof pairing === 'number' ? { item: pairing, input: 0 } : (pairing as PairedItem);
  const origin = inputs[input ?? 0]?.[index];
  return origin ? { ...item, json: { ...origin.json, ...item.json } } : item;
}

/** Items that carry an error object say so in their json and nothing else. */
export function normalizeErrorItems(outputs: Outputs): Outputs {
  if (!outputs.some((items) => items?.some((item) => item.error !== undefined || (item.json['$error'] && item.json['$json'])))) return outputs;
  return outputs.map((items) => items && items.map(normalizeErrorItem));
}

function normalizeErrorItem(item: Item): Item {
  if (item.error !== undefined) return { ...item, json: { error: item.error.message } };
  const error = item.json['$error'] as JsonObject | undefined;
  if (error && item.json['$json']) return { ...item, json: { error: String(error['message'] ?? error) } };
  return item;
}

/** One error item per input item, for a run that threw as a whole and goes on over its error output. */
export function errorItems(inputs: Outputs, error: ErrorShape): Item[] {
  const first = inputs.find((items) => items && items.length > 0) ?? [];
  return first.map((item, index) => ({ json: { ...item.json, error: error.message }, pairedItem: { item: index } }));
}

/** The first item of the first output reports an error: a failed try where the node retries. */
export function isSoftFailure(outputs: Outputs): boolean {
  const error = outputs[0]?.[0]?.json['error'];
  return error !== undefined && error !== null && error !== false;
}
