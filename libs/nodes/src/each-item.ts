import type { Item } from '@app/engine';
import type { NodeContext } from './node-context.ts';
import { messageOf } from './node-error.ts';

/** How a node reports a failed item when it continues on failure: the worker finds it by its `error` key. */
export const errorItem = (error: unknown, itemIndex: number): Item => ({
  json: { error: messageOf(error) },
  pairedItem: { item: itemIndex },
});

/**
 * Runs `work` once per item, in order. With an error mode that continues, a failing item becomes an error item in
 * its place; otherwise the first failure ends the run. Stops between two items when the activation is canceled.
 */
export function eachItem(
  context: NodeContext,
  items: readonly Item[],
  work: (item: Item, itemIndex: number) => Item | readonly Item[],
): Item[] {
  const output: Item[] = [];
  for (let index = 0; index < items.length; index++) {
    context.signal.throwIfAborted();
    try {
      const result = work(items[index]!, index);
      if (Array.isArray(result)) output.push(...(result as readonly Item[]));
      else output.push(result as Item);
    } catch (error) {
      if (!context.continueOnFail) throw error;
      output.push(errorItem(error, index));
    }
  }
  return output;
}
