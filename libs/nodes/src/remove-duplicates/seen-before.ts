import type { Item, Json } from '@app/engine';
import { NodeError } from '../node-error.ts';
import type { NodeContext } from '../node-context.ts';
import { toDateTime } from '../values/date.ts';
import { textOf } from '../values/convert.ts';
import { isList } from '../values/guards.ts';

// Keys in the workflow's static data; the scope decides in whose.
const seenKey = 'removeDuplicates.seen';
const highestKey = 'removeDuplicates.highest';

interface Sorted {
  readonly kept: Item[];
  readonly discarded: Item[];
}

const memoryOf = (context: NodeContext): { [key: string]: Json } =>
  context.staticData(context.parameter('options.scope', 0, 'node') === 'workflow' ? 'global' : 'node');

/** Splits the items into those new to this workflow and those known from earlier executions, and remembers the new ones. */
export function splitBySeen(context: NodeContext, items: readonly Item[]): Sorted {
  switch (context.parameter('logic', 0, 'removeItemsWithAlreadySeenKeyValues')) {
    case 'removeItemsUpToStoredIncrementalKey':
      return splitByHighest(context, items, (index) => numberAt(context, index));
    case 'removeItemsUpToStoredDate':
      return splitByHighest(context, items, (index) => dateAt(context, index));
    default:
      return splitByKeys(context, items);
  }
}

export function forgetSeen(context: NodeContext): void {
  const memory = memoryOf(context);
  delete memory[seenKey];
  delete memory[highestKey];
}

function splitByKeys(context: NodeContext, items: readonly Item[]): Sorted {
  const memory = memoryOf(context);
  const size = Number(context.parameter('options.historySize', 0, 10_000));
  const known = isList(memory[seenKey]) ? memory[seenKey].map(String) : [];
  const before = new Set(known);
  const groups = grouped(items, (index) => textOf(context.parameter('dedupeValue', index, '')));
  memory[seenKey] = [...known, ...[...groups.keys()].filter((key) => !before.has(key))].slice(-size);
  return sortedOut(groups, (key) => !before.has(key));
}

function splitByHighest(context: NodeContext, items: readonly Item[], valueAt: (index: number) => number): Sorted {
  const memory = memoryOf(context);
  const before = typeof memory[highestKey] === 'number' ? memory[highestKey] : -Infinity;
  const groups = grouped(items, valueAt);
  const highest = Math.max(before, ...groups.keys());
  if (Number.isFinite(highest)) memory[highestKey] = highest;
  return sortedOut(groups, (value) => value > before);
}

/** Equal values stand together, in the order of their first appearance. */
function grouped<K>(items: readonly Item[], keyAt: (index: number) => K): Map<K, Item[]> {
  const groups = new Map<K, Item[]>();
  items.forEach((item, index) => {
    const key = keyAt(index);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  });
  return groups;
}

function sortedOut<K>(groups: ReadonlyMap<K, Item[]>, isNew: (key: K) => boolean): Sorted {
  const kept: Item[] = [];
  const discarded: Item[] = [];
  for (const [key, group] of groups) (isNew(key) ? kept : discarded).push(...group);
  return { kept, discarded };
}

function numberAt(context: NodeContext, itemIndex: number): number {
  const value = Number(context.parameter('incrementalDedupeValue', itemIndex));
  if (Number.isFinite(value)) return value;
  throw new NodeError('The incremental value to compare is not a number.', { itemIndex, retryable: false });
}

function dateAt(context: NodeContext, itemIndex: number): number {
  const moment = toDateTime(context.parameter('dateDedupeValue', itemIndex), context.workflow.timezone);
  if (moment) return moment.toMillis();
  throw new NodeError('The date to compare is not a date.', { itemIndex, retryable: false });
}
