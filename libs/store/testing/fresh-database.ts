import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import pg from 'pg';
import { migrate } from '@app/store';

/** Tests and benchmarks run in the root of the checkout; a bundle of them does not know where its sources were. */
export const MIGRATIONS = resolve('prisma/migrations');

/** A migrated database of its own on the server that DATABASE_URL names, gone with `drop`. */
export async function freshDatabase(serverUrl = process.env['DATABASE_URL']): Promise<{ readonly url: string; drop(): Promise<void> }> {
  if (!serverUrl) throw new Error('DATABASE_URL is not set. Run the tests with scripts/test.mjs, which starts a Postgres.');
  const name = `store_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrate(url.href, MIGRATIONS);
  return { url: url.href, drop: () => onServer(serverUrl, `drop database ${name} with (force)`) };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
