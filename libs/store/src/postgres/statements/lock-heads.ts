import { plainValues, type Query } from './row-set.ts';

/**
 * Locks the heads of open executions for a commit, a signal or an end, and reads them. One that is missing has ended.
 *
 * Locks   execution_heads, by id: always the first lock of a transaction.
 * Index   execution_heads_pkey, the primary key of the executions' partition.
 * Bound   the batch.
 */
const TEXT = `
select h.*, x.parent_execution_id, x.parent_scope, x.parent_node, x.parent_seq, x.retry_of, x.custom_data, x.workflow_id, x.queue, x.priority, x.timeout_ms, argosy_now() as at
from unnest($1::bigint[]) as e (execution_id) join execution_heads h using (execution_id) join executions x using (execution_id)
order by h.execution_id
for update of h`;

export const lockHeads = (executionIds: readonly string[]): Query => ({ name: 'lock_heads', text: TEXT, values: [plainValues(executionIds)] });

/** The same without waiting for anybody: those that others hold are left out. For sweeps. */
export const tryLockHeads = (executionIds: readonly string[]): Query => ({ name: 'try_lock_heads', text: `${TEXT} skip locked`, values: [plainValues(executionIds)] });
