import { activationKeys, sameRow, type ActivationAddress } from './activation-keys.ts';
import type { Query } from './row-set.ts';

/**
 * What a worker must know of an activation, its execution (x) and its head (h). The first step of an execution works on
 * what it began with, which is small when it lies in its row: brought along, it saves that step a round trip. And only
 * with that step begins the time that the execution may take.
 */
export const claimedColumns = `
  a.execution_id, a.scope, a.node, a.seq, a.row_node, a.row_seq, a.inputs, a.cause, a.phase, a.arguments, a.attempt, a.losses, a.wakes, a.was_suspended, a.resume,
  a.queue, a.priority, a.lease_id, a.lease_until, a.ready_at, a.announcement, moment.at as claimed_at,
  x.workflow_id, x.version_id, x.mode, x.options, x.traceparent, x.parent_execution_id is null and x.retry_of is null as plain_end,
  h.status as head_status, h.commits, h.epoch, h.open, h.suspended, h.queued, h.front, h.back, h.tokens, h.spent,
  h.root_open, h.root_suspended, h.root_held, h.root, h.ending, h.warnings,
  case when h.commits = 1 then moment.at + x.timeout_ms else h.deadline_at end as deadline_at, case when h.commits = 1 then x.start_items end as start_items`;

/** How an activation `a` passes to a worker; $`first` and the two behind it are the lease's id, its milliseconds, the worker. */
export const takeLease = (first: number): string =>
  `status = 'x', attempt = a.attempt + 1, lease_id = $${first}::bigint, lease_until = moment.at + $${first + 1}::bigint, started_at = moment.at, worker = $${first + 2}::text`;

/**
 * Takes the named activations for one worker. The attempt is counted before anything can fail.
 *
 * Locks   activations, by key.
 * Index   activations_pkey, execution_heads_pkey, the primary key of the executions' partition.
 * Bound   as many as the worker has free slots.
 * The update knows nothing but the keys, and its look at the status must not suggest the index of all that is ready: see
 * claim-ready.ts.
 * One that is no longer ready is left out silently: the bell may ring twice. So is one of a paused execution, and one
 * that was lost too often to run beside others.
 */
const L = activationKeys.size;
const TEXT = `
with moment as materialized (select argosy_now() as at),
k as materialized (
  select k.* from ${activationKeys.from('k')} join execution_heads h using (execution_id) where h.status <> 'p'
),
taken as (
  update activations a
  set ${takeLease(L + 1)}
  from k, moment
  where ${sameRow} and a.status::text = 'r' and a.ready_at <= moment.at and a.losses < $${L + 4}::smallint
  returning a.*
)
select ${claimedColumns} from taken a join execution_heads h using (execution_id) join executions x using (execution_id), moment`;

export const claimActivations = (keys: readonly ActivationAddress[], lease: { id: string; ms: number; worker: string }, suspectAt: number): Query => ({
  name: 'claim_activations',
  text: TEXT,
  values: [...activationKeys.values(keys), lease.id, lease.ms, lease.worker, suspectAt],
});
