import { Client } from 'pg';

/** A database of its own on the server of DATABASE_URL, dropped at the end. */
export interface TestDatabase {
  readonly url: string;
  query<T extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]>;
  drop(): Promise<void>;
}

export async function createDatabase(name = `argosy_${process.pid}_${Math.random().toString(36).slice(2, 8)}`, server = process.env['DATABASE_URL']): Promise<TestDatabase> {
  if (!server) throw new Error('DATABASE_URL is not set. Run the tests through npm test, or name a Postgres server.');
  await asAdmin(server, `create database "${name}"`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const client = new Client({ connectionString: url.href });
  await client.connect();
  client.on('error', () => {});
  return {
    url: url.href,
    query: async <T extends object>(text: string, values: unknown[] = []) => (await client.query(text, values)).rows as T[],
    drop: async () => {
      await client.end().catch(() => {});
      await asAdmin(server, `drop database if exists "${name}" with (force)`);
    },
  };
}

async function asAdmin(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
