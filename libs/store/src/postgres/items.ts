import { ROOT, START_PORT, type Item, type OutputRef } from '@app/engine';
import { NotFound } from '../errors.ts';
import { unpackOrigin, unpackOutputs, unpackRef, writtenPorts } from './compact.ts';
import type { Row } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { parseItems } from './payload.ts';
import { payloadKey, type PayloadCache } from './payload-cache.ts';
import { readList } from './statements/read-history.ts';
import { readChunks, readPayloads, readStartItems } from './statements/read-payloads.ts';

/** A reference may name a run that passed on what another one sent, and so on; deeper than this is a circle. */
const DEPTH = 32;

/** An output by its full name. */
interface Place extends OutputRef {
  readonly execution: string;
}

/** Reads items by reference: from this process's memory, from the runs' rows, from chunks, through references and lists. */
export class ItemReader {
  constructor(
    private readonly pool: ConnectionPool,
    private readonly cache: PayloadCache,
  ) {}

  async load(executionId: string, refs: readonly OutputRef[], from = 0, to = Infinity): Promise<Item[][]> {
    const places = refs.map((ref): Place => ({ ...ref, execution: ref.execution ?? executionId }));
    const lists = await this.read(places, from, to, 0);
    return lists.map((items, index) => restamped(items, refs[index]!, from));
  }

  /** Notes what an execution began with, as it lies in its row. */
  keepStart(execution: string, startItems: string): void {
    for (const [node, items] of JSON.parse(startItems) as [number, Item[]][]) this.cache.set(payloadKey(execution, ROOT, node, 0, START_PORT), JSON.stringify(items));
  }

  private async read(places: readonly Place[], from: number, to: number, depth: number): Promise<Item[][]> {
    if (depth > DEPTH) throw new NotFound('output', `${nameOf(places[0]!)} (its references go in a circle)`);
    const texts = places.map((place) => (place.count === 0 ? '[]' : this.cache.get(keyOf(place))));
    const missing = places.filter((_, index) => texts[index] === undefined);
    if (missing.length === 0) return texts.map((text) => parseItems(text!).slice(from, to));
    const found = await this.find(missing, from, to, depth);
    return places.map((place, index) => (texts[index] === undefined ? found.get(place)! : parseItems(texts[index]).slice(from, to)));
  }

  private async find(places: readonly Place[], from: number, to: number, depth: number): Promise<Map<Place, Item[]>> {
    const addresses = places.map((place) => ({ ...place, executionId: place.execution }));
    const starts = [...new Set(places.filter(({ port }) => port === START_PORT).map(({ execution }) => execution))];
    const unique = [...new Map(addresses.map((address) => [nameOf(address), address])).values()];
    const sent = unique.filter(({ port }) => port !== START_PORT);
    const [chunks, ...rest] = await this.pool.send([readChunks(unique.map((address) => ({ ...address, from, to }))), ...(sent.length > 0 ? [readPayloads(sent)] : []), ...(starts.length > 0 ? [readStartItems(starts)] : [])]);
    const runs = sent.length > 0 ? rest.shift() : undefined;
    const begun = rest.shift();
    const runOf = new Map(runs?.rows.map((row) => [runKey(row['execution_id'] as string, row['scope'] as string, Number(row['node']), Number(row['seq'])), row]));
    const chunksOf = Map.groupBy(chunks!.rows, (row) => payloadKey(row['execution_id'] as string, row['scope'] as string, Number(row['node']), Number(row['seq']), Number(row['port'])));
    const startOf = new Map(begun?.rows.map((row) => [row['execution_id'] as string, row]));
    const found = new Map<Place, Item[]>();
    for (const place of places) {
      const pieces = chunksOf.get(keyOf(place));
      if (pieces) found.set(place, sliceOf(pieces, from, to));
      else if (place.port === START_PORT) found.set(place, await this.started(place, startOf.get(place.execution), from, to, depth));
      else found.set(place, await this.sent(place, runOf.get(runKey(place.execution, place.scope, place.node, place.seq)), from, to, depth));
    }
    return found;
  }

  private async started(place: Place, row: Row | undefined, from: number, to: number, depth: number): Promise<Item[]> {
    const items = row?.['start_items'] == null ? undefined : (JSON.parse(row['start_items'] as string) as [number, Item[]][]).find(([node]) => node === place.node)?.[1];
    if (items) {
      this.cache.set(keyOf(place), JSON.stringify(items));
      return items.slice(from, to);
    }
    // A retry refers to what the execution it goes on from began with.
    if (row?.['retry_of'] != null) return (await this.read([{ ...place, execution: row['retry_of'] as string }], from, to, depth + 1))[0]!;
    throw new NotFound('output', nameOf(place));
  }

  private async sent(place: Place, row: Row | undefined, from: number, to: number, depth: number): Promise<Item[]> {
    const packed = (row?.['outputs'] ?? null) as string | null;
    const output = unpackOutputs(packed).find(({ port }) => port === place.port);
    if (!output) throw new NotFound('output', nameOf(place));
    if (output.ref) return restamped((await this.read([{ ...output.ref, execution: output.ref.execution ?? place.execution }], from, to, depth + 1))[0]!, output.ref, from);
    if (output.list !== undefined) return this.listed(place, { ...output, list: output.list }, from, to, depth);
    const position = writtenPorts(packed).indexOf(place.port);
    if (position < 0 || row!['payload'] === null) return [];
    const items = (JSON.parse(row!['payload'] as string) as Item[][])[position] ?? [];
    this.cache.set(keyOf(place), JSON.stringify(items));
    return items.slice(from, to);
  }

  /** What an output names of a list: each entry's items go on with their walk in the run they came from. */
  private async listed(place: Place, { list, count, entries: places }: { readonly list: string; readonly count: number; readonly entries?: number }, from: number, to: number, depth: number): Promise<Item[]> {
    const { rows } = await this.pool.ask(readList(place.execution, place.scope, place.node, list));
    let seen = 0;
    const entries = rows.flatMap((row) => {
      const ref = row['ref'] === null ? null : unpackRef(JSON.parse(row['ref'] as string));
      // With empty places in between, an item's number is not where its entry stands.
      const first = places === undefined ? Number(row['first_item']) : seen;
      seen += ref?.count ?? 0;
      const isNamed = places === undefined ? first < count : Number(row['entry']) < places;
      if (!ref || !isNamed || first >= to || first + ref.count <= from) return [];
      return [{ first, ref: { ...ref, execution: ref.execution ?? place.execution }, origin: row['origin'] === null ? null : unpackOrigin(JSON.parse(row['origin'] as string)) }];
    });
    const items = await this.read(entries.map(({ ref }) => ref), 0, Infinity, depth + 1);
    return entries.flatMap(({ first, origin }, index) => {
      const numbered = items[index]!.map((item, at) => (origin ? { ...item, pairedItem: { item: at, sourceOverwrite: { previousNode: `#${origin.node}`, previousNodeOutput: origin.port, previousNodeRun: origin.seq } } } : item));
      return numbered.filter((_, at) => first + at >= from && first + at < to);
    });
  }
}

function sliceOf(chunks: readonly Row[], from: number, to: number): Item[] {
  return chunks.flatMap((row) => parseItems(row['payload'] as string).filter((_, at) => Number(row['first_item']) + at >= from && Number(row['first_item']) + at < to));
}

function restamped(items: Item[], { restamp }: OutputRef, from: number): Item[] {
  if (restamp === undefined) return items;
  return items.map((item, index) => ({ ...item, pairedItem: restamp ? { item: from + index, input: restamp } : { item: from + index } }));
}

const keyOf = ({ execution, scope, node, seq, port }: Place): string => payloadKey(execution, scope, node, seq, port);
const runKey = (execution: string, scope: string, node: number, seq: number): string => `${execution} ${scope} ${node} ${seq}`;
const nameOf = ({ execution, scope, node, seq, port }: Place): string => `${execution}_${scope || 'r'}_${node}_${seq}, port ${port}`;
