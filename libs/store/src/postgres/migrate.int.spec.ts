import { mkdtemp, cp, appendFile, mkdir, writeFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, MIGRATIONS } from '../../testing/fresh-database.ts';
import { assertSchemaCurrent, migrate, readMigrations } from './migrate.ts';

describe('migrating a database', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let folder: string;

  beforeAll(async () => {
    database = await freshDatabase();
    folder = await mkdtemp(join(tmpdir(), 'argosy-migrations-'));
    await cp(MIGRATIONS, folder, { recursive: true });
  }, 60_000);
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await database.drop();
  });

  it('leaves in the ledger what Prisma would write', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query('select migration_name as name, checksum, applied_steps_count, finished_at is not null as finished from _prisma_migrations order by 1');
    await client.end();
    expect(rows).toEqual((await readMigrations(MIGRATIONS)).map(({ name, checksum }) => ({ name, checksum, applied_steps_count: 1, finished: true })));
  });

  it('does nothing the second time, and once when many do it at the same time', async () => {
    await mkdir(join(folder, '0900_more'));
    await writeFile(join(folder, '0900_more', 'migration.sql'), 'create table more (id bigint primary key);');
    await expect(assertSchemaCurrent(database.url, folder)).rejects.toThrow('lacks the migration 0900_more');
    const applied = await Promise.all([migrate(database.url, folder), migrate(database.url, folder), migrate(database.url, folder)]);
    expect(applied.flat()).toEqual(['0900_more']);
    await expect(assertSchemaCurrent(database.url, folder)).resolves.toBeUndefined();
    expect(await migrate(database.url, folder)).toEqual([]);
  });

  it('rolls a broken migration back as a whole', async () => {
    const broken = join(folder, '0901_broken');
    await mkdir(broken);
    await writeFile(join(broken, 'migration.sql'), 'create table half (id bigint); select no_such_function();');
    await expect(migrate(database.url, folder)).rejects.toThrow('0901_broken failed and was rolled back');
    await writeFile(join(broken, 'migration.sql'), 'create table half (id bigint);');
    expect(await migrate(database.url, folder)).toEqual(['0901_broken']);
  });

  it('refuses to go on when an applied file has changed', async () => {
    await appendFile(join(folder, '0900_more', 'migration.sql'), '-- later');
    await expect(migrate(database.url, folder)).rejects.toThrow('0900_more was changed');
    await expect(assertSchemaCurrent(database.url, folder)).rejects.toThrow('0900_more was changed');
  });
});
