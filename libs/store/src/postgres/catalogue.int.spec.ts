import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../testing/fresh-database.ts';
import { readModel, type Table } from '../../testing/prisma-model.ts';

const COLUMNS = `
select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable,
  coalesce(pg_get_expr(d.adbin, d.adrelid), case when a.attidentity <> '' then 'identity' end) as "default"
from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> '_prisma_migrations' order by 1, a.attnum`;

const INDEXES = `
select c.relname as "table", ic.relname as name, i.indisprimary as "primary", i.indisunique as "unique", pg_get_expr(i.indpred, i.indrelid) as predicate,
  array(select a.attname::text from unnest(i.indkey::int[]) with ordinality k (number, position) join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number order by k.position) as columns
from pg_index i join pg_class c on c.oid = i.indrelid join pg_class ic on ic.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> '_prisma_migrations' order by 1, 2`;

describe('the migrated catalogue', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let catalogue: Table[];
  let model: Table[];

  beforeAll(async () => {
    database = await freshDatabase();
    model = readModel(await readFile(resolve('prisma/schema.prisma'), 'utf8'));
    catalogue = await readCatalogue(database.url);
  }, 60_000);
  afterAll(() => database.drop());

  it('has the tables of the model', () => {
    expect(catalogue.map(({ name }) => name)).toEqual(model.map(({ name }) => name));
  });

  it('has their columns, with types, nullability and defaults', () => {
    for (const [index, table] of catalogue.entries()) expect({ table: table.name, columns: table.columns }).toEqual({ table: table.name, columns: model[index]!.columns });
  });

  it('has their keys and indexes, partial ones with their predicates', () => {
    for (const [index, table] of catalogue.entries()) expect({ table: table.name, indexes: table.indexes }).toEqual({ table: table.name, indexes: model[index]!.indexes });
  });
});

async function readCatalogue(url: string): Promise<Table[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: columns } = await client.query<{ table: string; name: string; type: string; nullable: boolean; default: string | null }>(COLUMNS);
    const { rows: indexes } = await client.query<{ table: string; name: string; primary: boolean; unique: boolean; predicate: string | null; columns: string[] }>(INDEXES);
    return [...new Set(columns.map(({ table }) => table))].sort().map((name) => ({
      name,
      columns: columns.filter(({ table }) => table === name).map(({ table: _, default: value, ...column }) => ({ ...column, default: value?.replace(/::\w+$/, '').replaceAll("'", '') ?? null })),
      indexes: indexes
        .filter(({ table }) => table === name)
        .map((index) => ({ kind: index.primary ? 'primary' : index.unique ? 'unique' : 'index', name: index.primary || index.unique ? null : index.name, columns: index.columns, predicate: index.predicate?.replaceAll(/::"?\w+"?|[()]/g, '') ?? null }) as const)
        .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    }));
  } finally {
    await client.end();
  }
}
