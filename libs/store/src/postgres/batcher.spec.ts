import { describe, expect, it } from 'vitest';
import { Batcher, type Outcome } from './batcher.ts';

/** Batches that the test lets go one by one. */
function batches(maxInFlight: number, maxSize = 100) {
  const begun: { readonly entries: readonly number[]; finish(): void }[] = [];
  const batcher = new Batcher<number, string>({
    maxInFlight,
    maxSize,
    run: (entries) => new Promise((resolve) => begun.push({ entries, finish: () => resolve(entries.map((entry): Outcome<string> => (entry < 0 ? { error: new Error(`no ${entry}`) } : { result: `done ${entry}` }))) })),
  });
  return { begun, batcher };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a batcher', () => {
  it('lets what comes in one turn travel together, without waiting when it is idle', async () => {
    const { begun, batcher } = batches(2);
    const results = Promise.all([batcher.submit(1), batcher.submit(2)]);
    await turn();
    expect(begun.map(({ entries }) => entries)).toEqual([[1, 2]]);
    begun[0]!.finish();
    expect(await results).toEqual(['done 1', 'done 2']);
  });

  it('gathers while its places are taken and sends all of it when one is free', async () => {
    const { begun, batcher } = batches(1);
    void batcher.submit(1);
    await turn();
    void batcher.submit(2);
    await turn();
    void batcher.submit(3);
    await turn();
    expect(begun).toHaveLength(1);
    begun[0]!.finish();
    await turn();
    await turn();
    expect(begun[1]!.entries).toEqual([2, 3]);
  });

  it('divides much work among its free places and keeps to the largest batch', async () => {
    const { begun, batcher } = batches(2, 30);
    for (let entry = 0; entry < 100; entry++) void batcher.submit(entry);
    await turn();
    expect(begun.map(({ entries }) => entries.length)).toEqual([30, 30]);
    const small = batches(2);
    for (let entry = 0; entry < 40; entry++) void small.batcher.submit(entry);
    await turn();
    expect(small.begun.map(({ entries }) => entries.length)).toEqual([20, 20]);
  });

  it('rejects one entry alone', async () => {
    const { begun, batcher } = batches(1);
    const results = Promise.allSettled([batcher.submit(1), batcher.submit(-2)]);
    await turn();
    begun[0]!.finish();
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('is drained when everything has been answered', async () => {
    const { begun, batcher } = batches(1);
    void batcher.submit(1);
    let drained = false;
    const waiting = batcher.drained().then(() => (drained = true));
    await turn();
    expect(drained).toBe(false);
    begun[0]!.finish();
    await waiting;
    expect(drained).toBe(true);
  });
});
