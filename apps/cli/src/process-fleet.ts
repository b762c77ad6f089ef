import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CommandFailed } from './failures.ts';
import { migrateDatabase } from './fleet/migrate-database.ts';
import { startFleet } from './fleet/start-fleet.ts';
import type { FleetStarter } from './fleet-starter.ts';

/** Fleets of operating system processes, made of the programs beside this one. */
export function processFleet(env: Readonly<Record<string, string | undefined>>, programs = import.meta.dirname): FleetStarter {
  return {
    up: (options) => startFleet({ ...options, env, programs }),
    become: async (role) => {
      if (role === 'migrate') return await runMigrations(env);
      // The program takes this process over: its signals, its end and its exit code are now its own.
      await import(pathToFileURL(join(programs, `${role}.js`)).href);
      await new Promise((resolve) => process.once('beforeExit', resolve));
      return Number(process.exitCode ?? 0);
    },
  };
}

async function runMigrations({ DATABASE_URL, REDIS_URL }: Readonly<Record<string, string | undefined>>): Promise<number> {
  if (!DATABASE_URL) throw new CommandFailed('DATABASE_URL is not set.', 'Set it to the Postgres that is to be migrated.');
  const applied = await migrateDatabase(DATABASE_URL, REDIS_URL);
  process.stdout.write(applied.length === 0 ? 'The database is up to date.\n' : `Applied ${applied.join(', ')}.\n`);
  return 0;
}
