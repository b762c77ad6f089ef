import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClaimedActivation } from '../records.ts';
import { chainOf, DrivenExecution, item } from '../../testing/driven-execution.ts';
import { freshDatabase } from '../../testing/fresh-database.ts';
import { StoreUnavailable } from '../errors.ts';
import { PostgresStore } from './postgres-store.ts';

const STEPS = 12;

describe('a database whose sessions are killed', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let store: PostgresStore;
  let killer: pg.Client;

  beforeAll(async () => {
    database = await freshDatabase();
    store = new PostgresStore({ databaseUrl: database.url });
    killer = new pg.Client({ connectionString: database.url, application_name: 'killer' });
    await killer.connect();
  }, 60_000);
  afterAll(async () => {
    await killer.end();
    await store.close();
    await database.drop();
  });

  const killOne = () => killer.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'argosy' and datname = current_database() order by random() limit 1");
  const killAll = () => killer.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'argosy' and datname = current_database()");

  async function follow(run: DrivenExecution, first: ClaimedActivation, prepare: (activation: ClaimedActivation) => ClaimedActivation): Promise<string[]> {
    const kinds: string[] = [];
    for (let current: ClaimedActivation | null = first; current; ) {
      const result = await run.finish(prepare(current), [item({ at: current.node })], { continueHere: true });
      kinds.push(result.kind);
      current = result.next;
    }
    return kinds;
  }

  it.each([
    ['decided in advance', (activation: ClaimedActivation) => activation],
    ['decided after reading', (activation: ClaimedActivation) => ({ ...activation, snapshot: null })],
  ])('loses no commit and repeats none: steps %s', async (_, prepare) => {
    const runs = Array.from({ length: 24 }, (_unused, index) => new DrivenExecution(store, chainOf(STEPS), `lost ${_} ${index}`));
    await Promise.all(runs.map((run) => run.start(['n1'])));
    const first = await Promise.all(runs.map(async (run) => (await run.claim())[0]!));
    let over = false;
    const killing = (async () => {
      for (let kills = 0; kills < 60 && !over; kills++) await killOne().then(() => new Promise((resolve) => setTimeout(resolve, 12)));
    })();
    const kinds = await Promise.all(runs.map((run, index) => follow(run, first[index]!, prepare)));
    over = true;
    await killing;
    expect(kinds).toEqual(runs.map(() => Array.from({ length: STEPS }, () => 'committed')));
    for (const run of runs) {
      expect((await store.listRuns(run.id, -1, 100)).map(({ node, commit }) => [node, commit])).toEqual(Array.from({ length: STEPS }, (_unused, index) => [index, index + 1]));
      expect(await run.status()).toBe('succeeded');
    }
  }, 60_000);

  it('accepts every execution once although answers get lost', async () => {
    const run = new DrivenExecution(store, chainOf(1), 'accepted');
    const accepts = Promise.all(Array.from({ length: 60 }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * 3));
      return run.start(['n1']);
    }));
    for (let kills = 0; kills < 20; kills++) await killAll();
    const created = await accepts;
    const claimed = await run.claim();
    expect(claimed.map(({ executionId }) => executionId).sort()).toEqual(created.map(({ id }) => id).sort());
  }, 60_000);

  it('says that it is unavailable when the database stays away', async () => {
    const patient = new PostgresStore({ databaseUrl: 'postgresql://nobody@127.0.0.1:1/none', patienceMs: 300 });
    const run = new DrivenExecution(patient, chainOf(1));
    await expect(run.start(['n1'])).rejects.toThrow(StoreUnavailable);
    await expect(run.claim()).rejects.toThrow(StoreUnavailable);
    await expect(patient.health()).resolves.toMatchObject({ ok: false });
    await patient.close();
  });
});
