import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryStore } from '../memory/memory-store.ts';
import { freshDatabase } from '../../testing/fresh-database.ts';
import { traceOf, type Trace } from '../../testing/scripted-execution.ts';
import type { StoreUnderTest } from '../../testing/store.contract.ts';
import { PostgresStore } from './postgres-store.ts';

const SEEDS = Array.from({ length: 8 }, (_, seed) => seed);

describe('random programs', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  const open: PostgresStore[] = [];

  beforeAll(async () => {
    database = await freshDatabase();
  }, 60_000);
  afterAll(async () => {
    await Promise.all(open.map((store) => store.close()));
    await database.drop();
  });

  const memory = (): StoreUnderTest => {
    const store = new MemoryStore(Date.now);
    return { store, shiftClock: async (ms) => store.shiftClock(ms), close: () => store.close() };
  };
  const postgres = (more: object): StoreUnderTest => {
    const store = new PostgresStore({ databaseUrl: database.url, poolSize: 6, ...more });
    open.push(store);
    return { store, shiftClock: (ms) => store.shiftClock(ms), close: () => store.close() };
  };

  describe.each(['latch', 'arrivals', 'wild'] as const)('of the family %s', (family) => {
    it('run on Postgres as they do in memory, whatever a commit reads and whoever goes on', async () => {
      const [whole, piecewise] = [postgres({}), postgres({ wholeCommits: 0 })];
      for (const seed of SEEDS) {
        const expected = await traceOf(memory(), seed, family, 1, false);
        expect({ seed, ...(await traceOf(whole, seed, family, 1, false)) }).toEqual({ seed, ...expected });
        expect({ seed, ...(await traceOf(piecewise, seed, family, 1, false)) }).toEqual({ seed, ...expected });
        expect({ seed, ...(await traceOf(whole, seed, family, 1, true)) }).toEqual({ seed, ...(await traceOf(memory(), seed, family, 1, true)) });
      }
    }, 120_000);
  });

  it('of the family latch run the same when their steps are committed side by side', async () => {
    const piecewise = postgres({ wholeCommits: 0 });
    const outcome = ({ runs, record }: Trace) => ({ runs: (runs as { key: string; ending: string }[]).map(({ key, ending }) => `${key} ${ending}`).sort(), status: (record as { status: string }).status });
    for (const seed of SEEDS) expect({ seed, ...outcome(await traceOf(piecewise, seed, 'latch', 8, false)) }).toEqual({ seed, ...outcome(await traceOf(memory(), seed, 'latch', 1, false)) });
  }, 120_000);
});
