/**
 * Questions about an Argosy database whose answer should be "no rows", and the facts that finer checks are made of.
 * They read the tables as they are, so that a fault of the store's own reading cannot hide one of its writing.
 */

/** One consistent look while the fleet is under attack: ended executions, and contradictions between status and result. */
export const LOOK = `
select
  (select coalesce(max(argosy_now() - ready_at), 0) from activations where status = 'r' and ready_at <= argosy_now())::int as oldest_ready_ms,
  (select count(*) from execution_heads)::int as open,
  coalesce((select json_agg(json_build_array(execution_id::text, status, finished_at, commits)) from executions where status is not null), '[]') as ended,
  coalesce((select json_agg(json_build_array(t.id, t.what)) from (
    select x.execution_id::text as id, case
      when x.status is null and not exists (select from execution_heads h where h.execution_id = x.execution_id) then 'has no status and no head'
      when x.status is not null and exists (select from execution_heads h where h.execution_id = x.execution_id) then 'has ended and has a head'
      when x.status is not null and (x.finished_at is null or x.commits is null) then 'has ended without time or commits'
      when x.status is not null and exists (select from activations a where a.execution_id = x.execution_id) then 'has ended with open activations'
      when x.status = 's' and exists (select from runs r where r.execution_id = x.execution_id and r.commit > x.commits) then 'has runs beyond its last commit'
    end as what from executions x
  ) t where t.what is not null), '[]') as torn`;

/** I1, I5, I8: what is left in the hot tables although everything has ended. */
export const LEFT_OPEN = `
select 'execution_heads' as place, execution_id::text from execution_heads
union all select 'activations', execution_id::text from activations
union all select 'tokens', execution_id::text from tokens
union all select 'queued_firings', execution_id::text from queued_firings
union all select 'drivers', execution_id::text from drivers
union all select 'scopes', execution_id::text from scopes
union all select 'signals', execution_id::text from signals`;

/** I1, I11: what became of the executions that were accepted. */
export const EXECUTIONS = `
select execution_id::text as id, status, workflow_id as workflow, commits, idempotency_key as key, error, retry_of::text from executions`;

/** I2: runs with the tries that stand before them. Attempts that failed or were lost count; a hand-back does not. */
export const RUNS = `
select r.execution_id::text as id, r.node, r.seq, r.scope, r.status, r.attempt, r.commit, r.finished_at::float8 as finished_at, r.took_ms,
  w.name as worker, coalesce(t.counted, 0)::int as counted, coalesce(t.lost, 0)::int as lost
from runs r
left join worker_names w on w.id = r.worker
left join (
  select execution_id, scope, node, seq, count(*) filter (where outcome <> 'r') as counted, count(*) filter (where outcome = 'l') as lost
  from attempts group by 1, 2, 3, 4
) t using (execution_id, scope, node, seq)`;

/** Tries that were lost with their worker. */
export const LOST = `select execution_id::text as id, node, seq, worker, ended_at::float8 as ended_at from attempts where outcome = 'l'`;

export const NODE_NAMES = `
select distinct on (workflow_id) workflow_id as workflow, (select json_agg(n->>'name') from json_array_elements(program::json->'nodes') n) as names
from workflow_versions order by workflow_id, id desc`;

/** What stands still, for the report of an experiment that does not come to its end. */
export const STANDING = `
select h.execution_id::text as id, h.status as head, h.open, h.suspended, h.queued, h.tokens, a.node, a.status, a.attempt, a.losses, a.announcement, a.worker,
  a.ready_at - argosy_now() as ready_in_ms, a.lease_until - argosy_now() as lease_for_ms, a.due_at - argosy_now() as due_in_ms
from execution_heads h left join activations a using (execution_id) order by h.execution_id limit 5`;
