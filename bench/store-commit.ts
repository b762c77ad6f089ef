/**
 * How fast the store commits: node scripts/run.mjs --durable-services bench/store-commit.ts [executions] [side by side]
 *
 * chain   executions of ten steps with tiny items, accepted, claimed, committed and continued in this process
 * alone   one execution at a time: how long a step takes when nothing else goes on
 * insert  one autocommitted INSERT at a time, the yardstick of `alone`
 * bytes   what a step leaves on disk, indexes included, after VACUUM
 */
import pg from 'pg';
import { PostgresStore, type ClaimedActivation } from '@app/store';
import { SilentTelemetry, type HistogramName } from '@app/telemetry';
import { chainOf, DrivenExecution, item } from '@app/store/testing/driven-execution.ts';
import { freshDatabase } from '@app/store/testing/fresh-database.ts';

const STEPS = 10;
const total = Number(process.argv[2] ?? 2_000);
const sideBySide = Number(process.argv[3] ?? 64);

/** Remembers how large the batches were. */
class BatchSizes extends SilentTelemetry {
  readonly sizes: number[] = [];
  override observe(name?: HistogramName, value?: number): void {
    if (name === 'commit_batch_size') this.sizes.push(value!);
  }
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1]!;

async function runOne(store: PostgresStore, steps: number[]): Promise<void> {
  const run = new DrivenExecution(store, chainOf(STEPS));
  const { ready } = await run.start(['n1'], { options: { kind: 'bench' } }, [item({ n: 0 })]);
  let [current] = (await store.claim([ready[0]!.id], 'bench-worker', 15_000)) as (ClaimedActivation | null)[];
  for (let step = 1; current; step++) {
    const ref = current.inputs[0]!.ref!;
    const [items] = await store.loadItems(run.id, [ref]);
    const begun = performance.now();
    const result = await run.finish(current, [item({ n: Number(items![0]!.json['n']) + 1 })], { continueHere: true, worker: 'bench-worker' });
    steps.push(performance.now() - begun);
    current = result.next;
    if (result.kind !== 'committed') throw new Error('fenced');
  }
}

async function inLanes(count: number, lanes: number, work: () => Promise<void>): Promise<number> {
  let left = count;
  const begun = performance.now();
  await Promise.all(Array.from({ length: lanes }, async () => {
    while (left-- > 0) await work();
  }));
  return performance.now() - begun;
}

async function insertAlone(client: pg.Client): Promise<number> {
  await client.query('create table yardstick (id bigint primary key, payload text)');
  const times: number[] = [];
  for (let id = 0; id < 500; id++) {
    const begun = performance.now();
    await client.query({ name: 'yardstick', text: 'insert into yardstick values ($1, $2)', values: [id, '[{"json":{"n":1}}]'] });
    times.push(performance.now() - begun);
  }
  await client.query('drop table yardstick');
  return median(times);
}

async function bytesOnDisk(client: pg.Client): Promise<number> {
  await client.query('vacuum');
  const { rows } = await client.query<{ bytes: string }>("select sum(pg_total_relation_size(c.oid)) as bytes from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind = 'r'");
  return Number(rows[0]!.bytes);
}

const database = await freshDatabase();
const telemetry = new BatchSizes();
const store = new PostgresStore({ databaseUrl: database.url, telemetry });
const client = new pg.Client({ connectionString: database.url });
await client.connect();
try {
  await inLanes(200, 32, () => runOne(store, []));
  await client.query('vacuum');
  const before = await bytesOnDisk(client);
  const { rows: [wal] } = await client.query<{ lsn: string }>('select pg_current_wal_insert_lsn() as lsn');
  const cpu = process.cpuUsage();
  const times: number[] = [];
  telemetry.sizes.length = 0;
  const ms = await inLanes(total, sideBySide, () => runOne(store, times));
  const used = process.cpuUsage(cpu);
  const steps = total * STEPS;
  const batches = telemetry.sizes.length;
  const { rows: [written] } = await client.query<{ bytes: string }>('select pg_current_wal_insert_lsn() - $1::pg_lsn as bytes', [wal!.lsn]);
  const bytes = (await bytesOnDisk(client)) - before;
  say(`chain   ${Math.round((steps / ms) * 1_000)} steps/s, ${total} executions of ${STEPS} steps, ${sideBySide} side by side; p50 ${median(times).toFixed(2)} ms; this process ${Math.round((used.user + used.system) / steps)} µs/step; ${(steps / batches).toFixed(1)} steps per batch`);
  say(`bytes   ${Math.round(bytes / steps)} per step on disk, ${Math.round(Number(written!.bytes) / steps)} of WAL`);
  const alone: number[] = [];
  await inLanes(50, 1, () => runOne(store, alone));
  say(`alone   p50 ${median(alone).toFixed(3)} ms per step`);
  say(`insert  p50 ${(await insertAlone(client)).toFixed(3)} ms`);
} finally {
  await client.end();
  await store.close();
  await database.drop();
}
