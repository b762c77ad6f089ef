import type { Item, PortOutput } from '@app/engine';

/** A run's items stay in its row up to here, in characters; a row beyond a page would be split by Postgres anyway. */
const INLINE = 8_000;
/** A chunk ends with the item that passes this: small enough to be read for a few items, large enough to be few. */
const CHUNK = 256_000;

export interface Chunk {
  readonly port: number;
  readonly chunk: number;
  readonly firstItem: number;
  readonly itemCount: number;
  readonly text: string;
}

export interface Payload {
  /** JSON array with one array of items per output that has some; null when they are in chunks or there are none. */
  readonly inline: string | null;
  readonly chunks: readonly Chunk[];
  /** Items by port as they were written, for the cache. */
  readonly texts: readonly { readonly port: number; readonly text: string }[];
}

const NOTHING: Payload = { inline: null, chunks: [], texts: [] };

/** Lays the items of a run's outputs down as text: together in the run's row when they are small, else in chunks. */
export function layOut(outputs: readonly PortOutput[]): Payload {
  const carrying = outputs.filter((output) => output.items && output.items.length > 0);
  if (carrying.length === 0) return NOTHING;
  const items = carrying.map((output) => output.items!.map((item) => JSON.stringify(item)));
  const sizes = items.map((texts) => texts.reduce((size, text) => size + text.length + 1, 1));
  if (sizes.reduce((sum, size) => sum + size, 1) <= INLINE) {
    const texts = items.map((list, index) => ({ port: carrying[index]!.port, text: `[${list.join(',')}]` }));
    return { inline: `[${texts.map(({ text }) => text).join(',')}]`, chunks: [], texts };
  }
  return { inline: null, chunks: items.flatMap((texts, index) => chunksOf(carrying[index]!.port, texts)), texts: [] };
}

function chunksOf(port: number, items: readonly string[]): Chunk[] {
  const chunks: Chunk[] = [];
  for (let first = 0; first < items.length; ) {
    let size = 0;
    let end = first;
    while (end < items.length && size < CHUNK) size += items[end++]!.length;
    chunks.push({ port, chunk: chunks.length, firstItem: first, itemCount: end - first, text: `[${items.slice(first, end).join(',')}]` });
    first = end;
  }
  return chunks;
}

export const parseItems = (text: string): Item[] => JSON.parse(text) as Item[];
