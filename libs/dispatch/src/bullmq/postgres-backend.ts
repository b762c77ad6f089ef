import { Queue, Worker, createPostgresBackend, runMigrations } from 'bullmq';
import pg from 'pg';
import { workerOptions, type BullmqBackend } from './backend.ts';

/** BullMQ's tables live beside ours, never among them. */
export const bullmqSchema = 'bullmq';

/**
 * Three connections for a sender, four and one that listens for a worker and queue: count them against
 * max_connections. Not through a pooler in transaction mode, which cannot LISTEN.
 */
export const postgresConnection = (url: string, max: number) => ({
  connectionString: url,
  schema: bullmqSchema,
  max,
  connectionTimeoutMillis: 1_000,
  keepAlive: true,
  application_name: 'argosy-dispatch',
});

const senderConnections = 3;
const workerConnections = 4;

export function postgresBackend(url: string): BullmqBackend {
  return {
    kind: 'postgres',
    openQueue: (name) => new Queue(name, { connection: postgresConnection(url, senderConnections) }, createPostgresBackend),
    openWorker: (name, timing) =>
      new Worker(name, null, { ...workerOptions(timing), connection: postgresConnection(url, workerConnections) }, createPostgresBackend),
    findMisconfiguration: async () => [],
  };
}

/**
 * Creates or upgrades BullMQ's schema. Part of a deployment, before the first process connects; safe to repeat and to
 * run from several places at once. It needs a session of its own: the advisory lock and the transaction share it.
 */
export async function migratePostgresBackend(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await runMigrations(client, bullmqSchema);
  } finally {
    await client.end();
  }
}
