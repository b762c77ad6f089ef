import { migratePostgresBackend } from '@app/dispatch';
import { migrate } from '@app/store';
import { fromRoot } from '../../../../scripts/paths.mjs';

/** Our schema, and BullMQ's beside it when the queue lives in the same database. Answers the migrations applied now. */
export async function migrateDatabase(databaseUrl: string, redisUrl: string | undefined): Promise<string[]> {
  const applied = await migrate(databaseUrl, fromRoot('prisma', 'migrations'));
  if (!redisUrl) await migratePostgresBackend(databaseUrl);
  return applied;
}
