import { claimedColumns, takeLease } from './claim-activations.ts';
import { textValues, type Query } from './row-set.ts';

const isSuspect = "a.status = 'r' and a.losses > 0 and a.losses >= $2::smallint and a.ready_at <= argosy_now() and a.queue = any($1::text[])";

/** Whether any suspect waits. Locks none; index activations_suspect, which is empty as long as no process dies; bound one row. */
export const findSuspect = (queues: readonly string[], suspectAt: number): Query => ({
  name: 'find_suspect',
  text: `select 1 from activations a join execution_heads p using (execution_id) where ${isSuspect} and p.status <> 'p' limit 1`,
  values: [textValues(queues), suspectAt],
});

/**
 * Takes the suspect that has waited longest.
 *
 * Locks   one activation, skipping those that others hold.
 * Index   activations_suspect, then as in claim-activations.
 * Bound   one row.
 */
const TEXT = `
with moment as materialized (select argosy_now() as at),
f as materialized (
  select a.execution_id, a.scope, a.row_node, a.row_seq
  from activations a join execution_heads p using (execution_id)
  where ${isSuspect} and p.status <> 'p'
  order by a.ready_at
  limit 1
  for update of a skip locked
)
update activations a
set ${takeLease(3)}
from f join execution_heads h using (execution_id) join executions x using (execution_id), moment
where a.execution_id = f.execution_id and a.scope = f.scope and a.row_node = f.row_node and a.row_seq = f.row_seq
returning ${claimedColumns}`;

export const claimSuspect = (queues: readonly string[], suspectAt: number, lease: { id: string; ms: number; worker: string }): Query => ({
  name: 'claim_suspect',
  text: TEXT,
  values: [textValues(queues), suspectAt, lease.id, lease.ms, lease.worker],
});
