import { Queue, Worker, createPostgresBackend, runMigrations } from 'bullmq';
import pg from 'pg';
import { eventsKept, workerOptions, type BullmqBackend } from './backend.ts';

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
  // A crash of the server may cost the messages of its last half second; the sweeper announces those again. Waiting for
  // the disk at each of them would be paid on every hop: 21 ms instead of 5 (measured, together with single insertions).
  options: '-c synchronous_commit=off',
});

const senderConnections = 3;
const workerConnections = 4;

export function postgresBackend(url: string): BullmqBackend {
  return {
    kind: 'postgres',
    // The bulk statement creates two temporary tables: 16 ms whatever its size, against 0.8 ms for one and 0.4 ms for
    // each further single insertion (measured on two cores, fsync on).
    bulkFrom: 40,
    openQueue: (name) => new Queue(name, { connection: postgresConnection(url, senderConnections), ...eventsKept }, createPostgresBackend),
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
