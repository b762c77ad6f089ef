import { plainValues, textValues, type Query } from './row-set.ts';

/** Which of these executions exist. Locks nothing; index: the primary key of the partitions. */
export const findExecutionIds = (ids: readonly string[]): Query => ({
  name: 'find_execution_ids',
  text: 'select execution_id from executions where execution_id = any($1::bigint[])',
  values: [plainValues(ids)],
});

/** What an execution's record is made of, open or ended. */
const RECORD = `
  x.*, h.status as head_status, h.commits as head_commits, h.warnings as head_warnings, h.started_at as head_started_at,
  case when h.execution_id is not null then (select min(a.started_at) from activations a where a.execution_id = x.execution_id) end as first_claim,
  case when h.execution_id is not null then (select min(a.due_at) from activations a where a.execution_id = x.execution_id and a.status = 'w') end as wait_till,
  case h.status when 'w' then (select count(*) > 0 from (select from activations a where a.execution_id = x.execution_id and a.status <> 'w' limit 1) b) end as awake`;

/**
 * Executions with what is known of them.
 *
 * Locks   none.
 * Index   the primary keys.
 * Bound   the ids given.
 */
export const readExecutions = (ids: readonly string[]): Query => ({
  name: 'read_executions',
  text: `select ${RECORD} from executions x left join execution_heads h using (execution_id) where x.execution_id = any($1::bigint[])`,
  values: [plainValues(ids)],
});

export interface ListFilter {
  /** Below this id; the largest one for the first page. */
  readonly before: string;
  readonly limit: number;
  readonly workflowId: string | null;
  readonly project: string | null;
  /** Codes; `o` stands for every open status, told apart by the caller. */
  readonly statuses: readonly string[] | null;
  readonly startedAfter: number | null;
  readonly startedBefore: number | null;
}

const filter = `
  and ($4::text is null or x.project = $4) and ($5::text[] is null or coalesce(x.status::text, 'o') = any($5))
  and ($6::bigint is null or coalesce(x.started_at, h.started_at, x.created_at) > $6) and ($7::bigint is null or coalesce(x.started_at, h.started_at, x.created_at) < $7)
order by x.execution_id desc limit $2`;

/**
 * A page of executions, newest first.
 *
 * Locks   none.
 * Index   executions_workflow, or the primary key when no workflow is named; both are read backwards.
 * Bound   `limit` rows; a rare status makes it read past many others.
 */
export const listExecutions = ({ before, limit, workflowId, project, statuses, startedAfter, startedBefore }: ListFilter): Query => ({
  name: workflowId === null ? 'list_executions' : 'list_executions_of_workflow',
  text: `select ${RECORD} from executions x left join execution_heads h using (execution_id) where x.execution_id < $1 and ${workflowId === null ? '$3::text is null' : 'x.workflow_id = $3'} ${filter}`,
  values: [before, limit, workflowId, project, statuses && textValues(statuses), startedAfter, startedBefore],
});

/**
 * The open ones alone, for filters that ask for nothing else.
 *
 * Locks   none.
 * Index   execution_heads_pkey backwards, then the primary key of the executions.
 * Bound   `limit` rows of open executions.
 */
export const listOpenExecutions = ({ before, limit, workflowId, project, statuses, startedAfter, startedBefore }: ListFilter): Query => ({
  name: 'list_open_executions',
  text: `select ${RECORD} from execution_heads h join executions x using (execution_id) where h.execution_id < $1 and ($3::text is null or x.workflow_id = $3) ${filter.replace('order by x.', 'order by h.')}`,
  values: [before, limit, workflowId, project, statuses && textValues(statuses), startedAfter, startedBefore],
});

/** The executions that an activation called, by call. Locks none; index executions_parent; bound: its calls. */
export const listChildren = (executionId: string, scope: string, node: number, seq: number): Query => ({
  name: 'list_children',
  text: `select ${RECORD} from executions x left join execution_heads h using (execution_id)
    where x.parent_execution_id = $1 and x.parent_scope = $2 and x.parent_node = $3 and x.parent_seq = $4 order by x.parent_index`,
  values: [executionId, scope, node, seq],
});

/** Whether a workflow has open executions. Locks none; index execution_heads_pkey; bound: the open executions. */
export const hasOpenExecutions = (workflowId: string): Query => ({
  name: 'has_open_executions',
  text: 'select exists (select from execution_heads h join executions x using (execution_id) where x.workflow_id = $1) as open',
  values: [workflowId],
});

/** How many executions a tree of calls consists of, but for its root. Locks none; index executions_root; bound `atMost`. */
export const countFamily = (rootId: string, atMost: number): Query => ({
  name: 'count_family',
  text: 'select count(*) as members from (select from executions x where x.root_execution_id = $1 and x.execution_id > $1 limit $2) f',
  values: [rootId, atMost],
});

/** Some retry of an execution. Locks none; index executions_retry; bound one row per partition. */
export const findRetry = (executionId: string): Query => ({
  name: 'find_retry',
  text: 'select x.execution_id from executions x where x.retry_of = $1 and x.execution_id > $1 limit 1',
  values: [executionId],
});
