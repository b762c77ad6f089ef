/**
 * How fast the doorbell rings: node scripts/run.mjs --durable-services bench/dispatch.ts [references]
 *
 * throughput   one process sends in batches of 50 and receives with 200 free slots, on either backend
 * hop          one reference at a time through an idle queue, from `send` to the receiver
 */
import { randomUUID } from 'node:crypto';
import { BullmqDispatch, migratePostgresBackend, postgresBackend, redisBackend, type BullmqBackend } from '@app/dispatch';

const total = Number(process.argv[2] ?? 20_000);
const { DATABASE_URL, REDIS_URL } = process.env;
if (!DATABASE_URL || !REDIS_URL) throw new Error('Run me through scripts/run.mjs --durable-services: I need a Postgres and a Redis.');
async function measureThroughput(backend: BullmqBackend, count: number): Promise<void> {
  const [dispatch, queue] = [new BullmqDispatch({ backend }), `bench-${randomUUID()}`];
  let received = 0;
  let done = () => {};
  const all = new Promise<void>((resolve) => (done = resolve));
  const begun = performance.now();
  dispatch.receive(async (refs) => ((received += refs.length) === count ? done() : undefined), { queues: [queue], free: () => 200 });
  for (let at = 0; at < count; at += 500) {
    await Promise.all(Array.from({ length: 10 }, (_, lane) => dispatch.send(batchOf(queue, at + lane * 50, 50))));
  }
  const sent = performance.now();
  await all;
  const ended = performance.now();
  say(backend.kind, `${count} references, sent at ${rate(count, sent - begun)}/s, sent and received at ${rate(count, ended - begun)}/s`);
  await dispatch.stop();
}

async function measureHop(backend: BullmqBackend): Promise<void> {
  const [dispatch, queue] = [new BullmqDispatch({ backend }), `bench-${randomUUID()}`];
  let heard = () => {};
  dispatch.receive(async () => heard(), { queues: [queue], free: () => 10 });
  const times: number[] = [];
  for (let turn = 0; turn < 300; turn += 1) {
    const arrival = new Promise<void>((resolve) => (heard = resolve));
    await new Promise((resolve) => setTimeout(resolve, 2));
    const begun = performance.now();
    await Promise.all([dispatch.send(batchOf(queue, turn, 1)), arrival]);
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  say(backend.kind, `idle hop p50 ${times[150]!.toFixed(2)} ms, p95 ${times[285]!.toFixed(2)} ms, p99 ${times[297]!.toFixed(2)} ms`);
  await dispatch.stop();
}

function batchOf(queue: string, from: number, size: number) {
  return Array.from({ length: size }, (_, index) => ({ id: `${from + index}_0_1_0`, announcement: 1, queue, priority: 0 }));
}

const rate = (count: number, ms: number) => Math.round((count / ms) * 1_000);
const say = (kind: string, line: string) => process.stdout.write(`${kind.padEnd(9)} ${line}\n`);

await migratePostgresBackend(DATABASE_URL);

for (const backend of [redisBackend(REDIS_URL), postgresBackend(DATABASE_URL)]) {
  await measureThroughput(backend, backend.kind === 'redis' ? total : total / 4);
  await measureHop(backend);
}
