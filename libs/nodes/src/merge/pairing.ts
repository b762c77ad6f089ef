import type { Item, PairedItem } from '@app/engine';
import { NodeError } from '../node-error.ts';

/** An item together with where it stood, so that what is made of it can be paired. */
export interface Placed {
  readonly item: Item;
  readonly place: PairedItem;
}

export const placed = (items: readonly Item[], input: number): Placed[] =>
  items.map((item, index) => ({ item, place: input === 0 ? { item: index } : { item: index, input } }));

/** The item itself, paired with its place. */
export const passed = ({ item, place }: Placed): Item => ({ ...item, pairedItem: place });

/** A worker holds all of them in memory: two inputs of a thousand items give a million. */
const mostPairs = 1_000_000;

/** Before a combination takes the whole memory of the worker, and the worker with it. */
export function refuseTooMany(pairs: number): void {
  if (pairs > mostPairs) throw new NodeError(`The combination of these inputs gives more than ${mostPairs.toLocaleString('en')} items.`, { code: 'too_many_items', retryable: false, description: 'Combine by fields that tell the items apart, or limit the inputs first.' });
}
