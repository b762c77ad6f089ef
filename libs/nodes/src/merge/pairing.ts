import type { Item, PairedItem } from '@app/engine';

/** An item together with where it stood, so that what is made of it can be paired. */
export interface Placed {
  readonly item: Item;
  readonly place: PairedItem;
}

export const placed = (items: readonly Item[], input: number): Placed[] =>
  items.map((item, index) => ({ item, place: input === 0 ? { item: index } : { item: index, input } }));

/** The item itself, paired with its place. */
export const passed = ({ item, place }: Placed): Item => ({ ...item, pairedItem: place });
