import { claimedColumns } from './claim-activations.ts';
import { ownKey, readyAt, sameRow } from './activation-keys.ts';
import { leased, type LeasedAddress } from './lock-leases.ts';
import type { Query } from './row-set.ts';

/**
 * Extends leases that are still held; answers which. A lease that has run out but that nobody took is still one.
 *
 * Locks   activations, by key.
 * Index   activations_pkey; that of the leases moves with them.
 * Bound   as many as the worker has slots.
 */
const EXTEND = `
with moment as materialized (select argosy_now() as at)
update activations a set lease_until = moment.at + $${leased.size + 1}::bigint
from ${leased.from('k')}, moment
where ${sameRow} and a.status = 'x' and a.lease_id = k.lease_id
returning a.execution_id, a.scope, a.node, a.seq`;

export const extendLeases = (keys: readonly LeasedAddress[], leaseMs: number): Query => ({ name: 'extend_leases', text: EXTEND, values: [...leased.values(keys), Math.ceil(leaseMs)] });

/**
 * Gives activations back unfinished; the attempt does not count. The epoch of their executions rises, so that no commit
 * decided under the old lease can pass.
 *
 * Locks   execution_heads by id, then activations by key.
 * Index   execution_heads_pkey, activations_pkey.
 * Bound   as many as the worker has slots.
 */
const RELEASE = `
with k as materialized (select * from ${leased.from('l')}),
h as materialized (
  select h.execution_id from execution_heads h where h.execution_id in (select execution_id from k) order by h.execution_id for update
),
freed as (
  update activations a
  set status = 'r', attempt = a.attempt - 1, ${ownKey}, lease_id = null, lease_until = null, worker = null, announcement = a.announcement + 1, announced_at = argosy_now()
  from k join h using (execution_id)
  where ${sameRow} and a.status = 'x' and a.lease_id = k.lease_id
  returning a.execution_id, a.scope, a.node, a.seq, a.announcement, a.queue, a.priority
),
raised as (update execution_heads e set epoch = e.epoch + 1 where e.execution_id in (select execution_id from freed))
select * from freed`;

export const releaseLeases = (keys: readonly LeasedAddress[]): Query => ({ name: 'release_leases', text: RELEASE, values: leased.values(keys) });

/**
 * Takes away leases that have run out: the try is noted as lost, the epoch rises, and the activation is ready again, or,
 * lost too often, handed to the sweeping worker under a new lease. Heads before activations, as everywhere, so the
 * candidates are looked at first without a lock.
 *
 * One that was lost too often before stays as it is noted: only the lease of a sweeper that was to give it up ran out.
 * Whoever is a suspect from now on (see suspects.ts) is announced to nobody.
 *
 * Locks   execution_heads by id, then activations by key, skipping those that others hold.
 * Index   activations_lease, execution_heads_pkey, activations_pkey.
 * Bound   the limit.
 */
const EXPIRED = `
with moment as materialized (select argosy_now() as at),
due as materialized (
  select a.execution_id, a.scope, a.row_node, a.row_seq from activations a, moment where a.status = 'x' and a.lease_until < moment.at order by a.lease_until limit $1
),
heads as materialized (
  select h.execution_id from execution_heads h where h.execution_id in (select execution_id from due) order by h.execution_id for update skip locked
),
k as materialized (
  select a.execution_id, a.scope, a.row_node, a.row_seq, a.node, a.seq, a.attempt, a.losses, ${readyAt} as ready_at, a.started_at, a.worker, a.losses + 1 >= $2::int as exhausted, a.losses >= $2::int as was_exhausted
  from due d join heads using (execution_id) join activations a using (execution_id, scope, row_node, row_seq), moment
  where a.status = 'x' and a.lease_until < moment.at
  order by a.execution_id, a.scope, a.row_node, a.row_seq
  for update of a skip locked
),
noted as (
  insert into attempts (execution_id, scope, node, seq, attempt, losses, ready_at, started_at, ended_at, outcome, worker, error)
  select k.execution_id, k.scope, k.node, k.seq, k.attempt, k.losses, k.ready_at, coalesce(k.started_at, moment.at), moment.at, 'l', coalesce(k.worker, ''),
    '{"message":"The worker was lost before it finished.","code":"lease_lost"}'
  from k, moment where not k.was_exhausted
),
raised as (update execution_heads e set epoch = e.epoch + 1 where e.execution_id in (select execution_id from k))
update activations a set
  ${ownKey}, losses = case when k.was_exhausted then a.losses else a.losses + 1 end, ready_at = moment.at,
  status = case when k.exhausted then 'x'::"char" else 'r'::"char" end,
  lease_id = case when k.exhausted then $3::bigint end,
  lease_until = case when k.exhausted then moment.at + $4::bigint end,
  worker = case when k.exhausted then $5::text end,
  started_at = case when k.exhausted then moment.at end,
  announcement = a.announcement + 1, announced_at = moment.at
from k join execution_heads h using (execution_id) join executions x using (execution_id), moment
where a.execution_id = k.execution_id and a.scope = k.scope and a.row_node = k.row_node and a.row_seq = k.row_seq
returning ${claimedColumns}, k.exhausted`;

export const releaseExpired = (limit: number, maxLosses: number, lease: { id: string; ms: number; worker: string }): Query => ({
  name: 'release_expired',
  text: EXPIRED,
  values: [limit, maxLosses, lease.id, Math.ceil(lease.ms), lease.worker],
});
