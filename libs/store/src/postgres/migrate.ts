import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { SchemaMismatch } from '../errors.ts';

export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** Prisma's: SHA-256 of the file, in hexadecimal. */
  readonly checksum: string;
}

export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
}

/** One lock for everybody who migrates, also for Prisma's own tool, which takes this number. */
const PRISMA_LOCK = 72707369;
/** Every partition costs each statement on its table a little, used or not. */
export const WEEKS_AHEAD = 1;

const LEDGER = `
create table if not exists _prisma_migrations (
  id varchar(36) primary key,
  checksum varchar(64) not null,
  finished_at timestamptz,
  migration_name varchar(255) not null,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz not null default now(),
  applied_steps_count integer not null default 0
)`;

/** Migrations in Prisma's layout: `<folder>/<name>/migration.sql`, in the order of their names. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * Applies what is missing, each migration in a transaction of its own, and makes the partitions of the coming weeks.
 * Safe to call from many processes at once. Answers the names that were applied.
 */
export async function migrate(databaseUrl: string, folder: string): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'argosy-migrate' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [PRISMA_LOCK]);
    await client.query(LEDGER);
    const open = missingMigrations(migrations, await appliedBy(client));
    for (const migration of open) await apply(client, migration);
    await client.query('select argosy_make_partitions($1)', [WEEKS_AHEAD]);
    return open.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Throws unless the database has exactly the migrations of this folder or newer ones. */
export async function assertSchemaCurrent(databaseUrl: string, folder: string): Promise<void> {
  const migrations = await readMigrations(folder);
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'argosy-start' });
  await client.connect();
  try {
    const { rows } = await client.query<{ there: boolean }>("select to_regclass('_prisma_migrations') is not null as there");
    const open = missingMigrations(migrations, rows[0]?.there ? await appliedBy(client) : []);
    if (open.length > 0) throw new SchemaMismatch(`The database lacks the migration${open.length > 1 ? 's' : ''} ${open.map(({ name }) => name).join(', ')}. Run \`npm run db:migrate\` before starting.`);
  } finally {
    await client.end();
  }
}

/** What is to be applied. Refuses when an applied migration is not the file of that name any more. */
export function missingMigrations(migrations: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const known = new Map(applied.map((migration) => [migration.name, migration.checksum]));
  const open = migrations.filter(({ name }) => !known.has(name));
  for (const { name, checksum } of migrations) {
    const before = known.get(name);
    if (before === undefined || before === checksum) continue;
    throw new SchemaMismatch(`Migration ${name} was changed after it had been applied (checksum ${before.slice(0, 12)}… in the database, ${checksum.slice(0, 12)}… in the file). Put the file back and write the change as a new migration.`);
  }
  const last = migrations.filter(({ name }) => known.has(name)).at(-1);
  const early = open.find(({ name }) => last !== undefined && name < last.name);
  if (early) throw new SchemaMismatch(`Migration ${early.name} comes before ${last!.name}, which is applied already. Give it a higher number.`);
  return open;
}

async function appliedBy(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>('select migration_name as name, checksum from _prisma_migrations where finished_at is not null and rolled_back_at is null order by started_at');
  return rows;
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query('insert into _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count) values ($1, $2, now(), $3, 1)', [randomUUID(), checksum, name]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new SchemaMismatch(`Migration ${name} failed and was rolled back: ${error instanceof Error ? error.message : String(error)}`);
  }
}
