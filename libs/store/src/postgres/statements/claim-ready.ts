import { claimedColumns, takeLease } from './claim-activations.ts';
import { textValues, type Query } from './row-set.ts';

/**
 * Takes ready activations of some queues, by priority and age.
 *
 * Locks   activations, skipping those that others hold.
 * Index   activations_ready, then as in claim-activations.
 * Bound   `limit` per queue are looked at, `limit` in all are taken.
 * The update knows nothing but the keys: with heads and executions beside it, a plan from when few were ready joins the
 * activations by execution alone, and taking thousands of one execution takes the square of that.
 */
const TEXT = `
with moment as materialized (select argosy_now() as at),
front as materialized (
  select f.* from unnest($1::text[]) as q (queue), moment, lateral (
    select a.execution_id, a.scope, a.row_node, a.row_seq, a.priority, a.ready_at
    from activations a join execution_heads p using (execution_id)
    where a.status = 'r' and a.queue = q.queue and a.ready_at <= moment.at and a.losses < $6::smallint and p.status <> 'p'
    order by a.priority, a.ready_at
    limit $2
    for update of a skip locked
  ) f
  order by f.priority, f.ready_at
  limit $2
),
taken as (
  update activations a
  set ${takeLease(3)}
  from front f, moment
  where a.execution_id = f.execution_id and a.scope = f.scope and a.row_node = f.row_node and a.row_seq = f.row_seq
  returning a.*
)
select ${claimedColumns} from taken a join execution_heads h using (execution_id) join executions x using (execution_id), moment`;

export const claimReady = (queues: readonly string[], limit: number, lease: { id: string; ms: number; worker: string }, suspectAt: number): Query => ({
  name: 'claim_ready',
  text: TEXT,
  values: [textValues(queues), limit, lease.id, lease.ms, lease.worker, suspectAt],
});
