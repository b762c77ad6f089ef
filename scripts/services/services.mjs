/** The Postgres and the Redis that tests need. Those named by DATABASE_URL and REDIS_URL are used and left alone. */
import { startThrowaway } from './postgres.mjs';
import { startRedis } from './redis.mjs';

/** @returns {Promise<{ env: { DATABASE_URL: string, REDIS_URL: string }, stop(): Promise<void> }>} */
export async function startServices({ durable = false } = {}) {
  const { DATABASE_URL, REDIS_URL } = process.env;
  const started = await Promise.allSettled([
    DATABASE_URL ? { url: DATABASE_URL, stop: async () => {} } : startThrowaway({ durable }),
    REDIS_URL ? { url: REDIS_URL, stop: async () => {} } : startRedis(),
  ]);
  const stop = async () => void (await Promise.all(started.map(({ value }) => value?.stop())));
  const failed = started.find(({ status }) => status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  const [postgres, redis] = started.map(({ value }) => value);
  return { env: { DATABASE_URL: postgres.url, REDIS_URL: redis.url }, stop };
}
