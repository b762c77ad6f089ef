import { Queue, Worker, createRedisBackend } from 'bullmq';
import { Redis } from 'ioredis';
import { within } from '../within.ts';
import { eventsKept, workerOptions, type BullmqBackend } from './backend.ts';

/** Two seconds at most between two attempts: a worker is back at work that soon after Redis is. */
const reconnectMs = (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 10), 2_000);

/** Connection options for whoever makes its own BullMQ objects on this Redis, such as Nest's BullModule. */
export function redisConnection(url: string) {
  return { url, connectTimeout: 2_000, keepAlive: 5_000, retryStrategy: reconnectMs };
}

/** Insertions are refused while Redis is away: kept for later, they would pile up and then ring for work long done. */
export const redisSendConnection = (url: string) => ({ ...redisConnection(url), enableOfflineQueue: false, maxRetriesPerRequest: 0 });

export const redisPrefix = 'argosy';

export function redisBackend(url: string): BullmqBackend {
  return {
    kind: 'redis',
    bulkFrom: 2,
    openQueue: (name) => new Queue(name, { connection: redisSendConnection(url), prefix: redisPrefix, ...eventsKept }, createRedisBackend),
    openWorker: (name, timing) =>
      new Worker(name, null, { ...workerOptions(timing), connection: { ...redisConnection(url), maxRetriesPerRequest: null }, prefix: redisPrefix }, createRedisBackend),
    findMisconfiguration: () => askRedis(url),
  };
}

async function askRedis(url: string): Promise<string[]> {
  const client = new Redis(url, { lazyConnect: true, connectTimeout: 1_000, maxRetriesPerRequest: 0, retryStrategy: () => null });
  client.on('error', () => {});
  try {
    await within(1_500, 'Asking Redis for its settings', client.connect());
    const [, policy] = (await within(1_500, 'Asking Redis for its settings', client.config('GET', 'maxmemory-policy'))) as [string, string];
    if (policy === 'noeviction') return [];
    return [`Redis evicts keys when it is full (maxmemory-policy is "${policy}"). Set it to "noeviction": BullMQ loses messages otherwise.`];
  } catch {
    // Hosted services often forbid CONFIG, and an unreachable server is reported where it is used.
    return [];
  } finally {
    client.disconnect();
  }
}
