import type { ErrorShape, Item, Json, JsonObject, Pairing } from '@app/engine';
import { NodeError } from '../node-error.ts';
import { isList, isRecord } from '../values/guards.ts';

const itemKeys = new Set(['json', 'binary', 'pairedItem', 'error']);
// Written by some nodes of old workflows; allowed and ignored.
const tolerated = new Set([...itemKeys, 'index']);

/** What code for all items returned, as items. null means no items; anything but objects is an error. */
export function returnedItems(value: Json): Item[] {
  if (value === null) return [];
  const list = isList(value) ? value : [value];
  if (value === undefined || !list.every(isRecord)) {
    throw new NodeError("Code doesn't return items properly", {
      retryable: false,
      description: 'Return a list of objects, one for each item you want to put out.',
    });
  }
  const areItems = list.some(looksLikeItem);
  return list.map((each, index) => (areItems ? itemOf(each, index) : { json: each }));
}

/** What code for one item returned; null and undefined drop the item. */
export function returnedItem(value: Json, itemIndex: number): Item | null {
  if (value === null || value === undefined) return null;
  if (!isRecord(value)) throw notAnObject(itemIndex);
  return { ...(looksLikeItem(value) ? itemOf(value, itemIndex) : { json: value }), pairedItem: { item: itemIndex } };
}

const looksLikeItem = (value: JsonObject): boolean => Object.keys(value).some((key) => itemKeys.has(key));

function itemOf(value: JsonObject, index: number): Item {
  const unknown = Object.keys(value).find((key) => !tolerated.has(key));
  if (unknown !== undefined) {
    throw new NodeError(`Unknown top-level item key: ${unknown} [item ${index}]`, {
      itemIndex: index,
      retryable: false,
      description: 'Put data under "json", or leave out all item keys (json, binary, pairedItem, error) in every item.',
    });
  }
  const json = value['json'] ?? {};
  if (!isRecord(json)) throw notAnObject(index);
  const item: Item = { json };
  if (isRecord(value['binary'])) item.binary = value['binary'] as unknown as NonNullable<Item['binary']>;
  if (value['pairedItem'] !== undefined && value['pairedItem'] !== null) item.pairedItem = value['pairedItem'] as unknown as Pairing;
  if (value['error'] !== undefined && value['error'] !== null) item.error = errorOf(value['error']);
  return item;
}

const errorOf = (value: Json): ErrorShape =>
  isRecord(value) && typeof value['message'] === 'string'
    ? (value as unknown as ErrorShape)
    : { message: typeof value === 'string' ? value : JSON.stringify(value) };

const notAnObject = (index: number): NodeError =>
  new NodeError(`A 'json' property isn't an object [item ${index}]`, {
    itemIndex: index,
    retryable: false,
    description: 'In the returned data, every key named "json" must hold an object.',
  });
