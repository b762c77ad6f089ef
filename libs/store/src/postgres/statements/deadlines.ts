import { bigint, plainValues, RowSet, type Query } from './row-set.ts';

/** Executions past their deadline, as far as the head says; see ../../deadline.ts. Locks none; index execution_heads_deadline; bound the limit. */
export const overdueExecutions = (limit: number): Query => ({
  name: 'overdue_executions',
  text: 'select h.execution_id from execution_heads h where h.deadline_at is not null and h.deadline_at <= (select argosy_now()) order by h.deadline_at limit $1',
  values: [limit],
});

export interface DeadlineRow {
  readonly executionId: string;
  readonly deadline: number;
}

const deadlines = new RowSet<DeadlineRow>({ execution_id: bigint((row) => row.executionId), deadline_at: bigint((row) => row.deadline) });

/** Moves deadlines. Locks: the heads are held already; index execution_heads_pkey; bound the batch. */
export const moveDeadlines = (rows: readonly DeadlineRow[]): Query => ({
  name: 'move_deadlines',
  text: `update execution_heads h set deadline_at = d.deadline_at from ${deadlines.from('d')} where h.execution_id = d.execution_id`,
  values: deadlines.values(rows),
});

/**
 * Begins the time anew of executions that waited as a whole and have just been woken.
 *
 * Locks   execution_heads, by id.
 * Index   execution_heads_pkey, the primary key of the executions' partition.
 * Bound   the executions given.
 */
const RESTART = `
with k as materialized (
  select h.execution_id, x.timeout_ms
  from unnest($1::bigint[]) as e (execution_id) join execution_heads h using (execution_id) join executions x using (execution_id)
  where h.status = 'w' and x.timeout_ms is not null
  order by h.execution_id
  for update of h
)
update execution_heads h set deadline_at = argosy_now() + k.timeout_ms from k where h.execution_id = k.execution_id`;

export const restartDeadlines = (executionIds: readonly string[]): Query => ({ name: 'restart_deadlines', text: RESTART, values: [plainValues(executionIds)] });
