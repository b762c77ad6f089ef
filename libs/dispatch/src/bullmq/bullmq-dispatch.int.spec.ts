import { afterAll, beforeAll } from 'vitest';
import { Redis } from 'ioredis';
import pg from 'pg';
import { describeDispatch } from '../../testing/dispatch.contract.ts';
import { bullmqSetup, freshBullmqDatabase } from '../../testing/bullmq-setup.ts';
import { postgresBackend } from './postgres-backend.ts';
import { redisBackend } from './redis-backend.ts';

const redisUrl = process.env['REDIS_URL']!;
describeDispatch('bullmq on redis', async () =>
  bullmqSetup(redisUrl, redisBackend, async () => {
    const redis = new Redis(redisUrl);
    await redis.flushall();
    redis.disconnect();
  }),
);

let database: { url: string; drop(): Promise<void> };
beforeAll(async () => void (database = await freshBullmqDatabase(process.env['DATABASE_URL']!)));
afterAll(() => database.drop());
describeDispatch('bullmq on postgres', async () =>
  bullmqSetup(database.url, postgresBackend, async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('delete from bullmq.job');
    await client.end();
  }),
);
