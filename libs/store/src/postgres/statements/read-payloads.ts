import { activationKeys, type ActivationAddress } from './activation-keys.ts';
import { integer, plainValues, RowSet, type Query } from './row-set.ts';

/** What runs sent out, with the items that lie in their rows. Locks none; index the primary key of the partition; bound the keys given. */
export const readPayloads = (keys: readonly ActivationAddress[]): Query => ({
  name: 'read_payloads',
  text: `select r.execution_id, r.scope, r.node, r.seq, r.outputs, r.payload from ${activationKeys.from('k')} join runs r using (execution_id, scope, node, seq)`,
  values: activationKeys.values(keys),
});

export interface ChunkRange extends ActivationAddress {
  readonly port: number;
  readonly from: number;
  readonly to: number;
}

const ranges = new RowSet<ChunkRange>({
  execution_id: { type: 'bigint', of: (row) => row.executionId },
  scope: { type: 'text', of: (row) => row.scope },
  node: integer((row) => row.node),
  seq: integer((row) => row.seq),
  port: integer((row) => row.port),
  from_item: integer((row) => Math.min(row.from, 2 ** 31 - 1)),
  to_item: integer((row) => Math.min(row.to, 2 ** 31 - 1)),
});

/** Chunks that overlap a range of items. Locks none; index the primary key of the partition; bound the chunks of the outputs given. */
export const readChunks = (list: readonly ChunkRange[]): Query => ({
  name: 'read_chunks',
  text: `select o.execution_id, o.scope, o.node, o.seq, o.port, o.first_item, o.item_count, o.payload
    from ${ranges.from('k')} join outputs o using (execution_id, scope, node, seq, port)
    where o.first_item < k.to_item and o.first_item + o.item_count > k.from_item
    order by o.execution_id, o.scope, o.node, o.seq, o.port, o.chunk`,
  values: ranges.values(list),
});

/** Items that executions began with, and whom they go on from. Locks none; index the primary key of the partition; bound the ids given. */
export const readStartItems = (ids: readonly string[]): Query => ({
  name: 'read_start_items',
  text: 'select execution_id, start_items, retry_of from executions where execution_id = any($1::bigint[])',
  values: [plainValues(ids)],
});
