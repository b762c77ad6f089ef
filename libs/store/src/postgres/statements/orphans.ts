import { plainValues, type Query } from './row-set.ts';

/**
 * Remembers which of these ending executions wait for others that they called. Before their activations go.
 *
 * Locks   nothing that exists.
 * Index   activations_pkey, by execution.
 * Bound   the executions that end with the batch and have something suspended.
 */
const NOTE = `
insert into ended_callers (execution_id)
select distinct a.execution_id from activations a
where a.execution_id = any($1::bigint[]) and a.status = 'w' and a.wait_kind = 'c'
on conflict do nothing`;

export const noteEndedCallers = (executionIds: readonly string[]): Query => ({ name: 'note_ended_callers', text: NOTE, values: [plainValues(executionIds)] });

/**
 * Open executions that an ended one called and waited for, a row each; null where none of a caller's is open any more.
 *
 * Locks   none: who finds the same ones a second time finds them ended.
 * Index   ended_callers_pkey, executions_parent, execution_heads_pkey. A called execution is younger than its caller.
 * Bound   `limit` callers, `limit` of the executions that each of them called.
 */
const FIND = `
select c.execution_id as caller, x.execution_id
from (select e.execution_id from ended_callers e order by e.execution_id limit $1) c
left join lateral (
  select x.execution_id from executions x join execution_heads h using (execution_id)
  where x.parent_execution_id = c.execution_id and x.execution_id > c.execution_id
  limit $1
) x on true
limit $1`;

export const findOrphans = (limit: number): Query => ({ name: 'find_orphans', text: FIND, values: [limit] });

/** Forgets callers of whose called executions none is open. Locks their rows; index ended_callers_pkey; bound the callers given. */
export const forgetCallers = (executionIds: readonly string[]): Query => ({
  name: 'forget_callers',
  text: 'delete from ended_callers where execution_id = any($1::bigint[])',
  values: [plainValues(executionIds)],
});
