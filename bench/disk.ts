import type { TestDatabase } from '../test/support/database.ts';
import { targets } from './targets.ts';

export interface DiskUse {
  /** Of all relations of our schema, indexes and TOAST included, after VACUUM. */
  readonly bytes: number;
  readonly itemBytes: number;
  readonly steps: number;
  readonly allowed: number;
}

export async function compactedSize(database: TestDatabase): Promise<DiskUse> {
  await database.query('vacuum');
  const [size] = await database.query<{ bytes: string }>("select sum(pg_total_relation_size(oid)) as bytes from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'm')");
  const [items] = await database.query<{ bytes: string; steps: string }>(`
    select (select coalesce(sum(octet_length(payload)), 0) from runs) + (select coalesce(sum(octet_length(payload)), 0) from outputs)
         + (select coalesce(sum(octet_length(start_items)), 0) from executions) as bytes, (select count(*) from runs) as steps`);
  const [bytes, itemBytes, steps] = [Number(size!.bytes), Number(items!.bytes), Number(items!.steps)];
  return { bytes, itemBytes, steps, allowed: targets.disk.timesItems * itemBytes + targets.disk.bytesPerStep * steps };
}
