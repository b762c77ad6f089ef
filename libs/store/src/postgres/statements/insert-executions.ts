import { headColumns, type HeadState } from '../head-row.ts';
import type { NewExecution } from '../../records.ts';
import { bigint, integer, RowSet, smallint, text, type Query } from './row-set.ts';

export interface NewExecutionRow {
  readonly executionId: string;
  readonly request: NewExecution;
  readonly startItems: string | null;
}

const executions = new RowSet<NewExecutionRow>({
  execution_id: bigint((row) => row.executionId),
  timeout_ms: bigint((row) => row.request.timeoutMs && Math.ceil(row.request.timeoutMs)),
  retry_of: bigint((row) => row.request.retryOf),
  parent_execution_id: bigint((row) => row.request.parent?.executionId),
  parent_scope: text((row) => row.request.parent?.activation.scope),
  parent_node: integer((row) => row.request.parent?.activation.node),
  parent_seq: integer((row) => row.request.parent?.activation.seq),
  parent_index: integer((row) => row.request.parent?.index),
  root_execution_id: bigint((row) => row.request.root),
  priority: smallint((row) => row.request.priority ?? 3),
  workflow_id: text((row) => row.request.workflowId),
  version_id: text((row) => row.request.versionId),
  mode: text((row) => row.request.mode),
  project: text((row) => row.request.project ?? 'default'),
  queue: text((row) => row.request.queue ?? 'default'),
  concurrency_key: text((row) => row.request.concurrencyKey),
  traceparent: text((row) => row.request.traceparent),
  idempotency_key: text((row) => row.request.idempotencyKey),
  options: text((row) => JSON.stringify(row.request.options)),
  start_items: text((row) => row.startItems),
});

/**
 * Writes the facts of new executions.
 *
 * Locks   nothing that exists.
 * Index   those of the executions' partition.
 * Bound   the batch.
 */
const TEXT = `
with moment as materialized (select argosy_now() as at)
insert into executions (${executions.names.join(', ')}, created_at)
select ${executions.list('n.')}, moment.at from ${executions.from('n')}, moment`;

export const insertExecutions = (rows: readonly NewExecutionRow[]): Query => ({ name: 'insert_executions', text: TEXT, values: executions.values(rows) });

export interface NewHead extends HeadState {
  readonly timeoutMs: number | null;
  /** 1 for an execution that goes on with another one's history: it consists of more than its first activation. */
  readonly epoch: 0 | 1;
}

const newHeads = new RowSet<NewHead>({ ...headColumns, epoch: integer((head) => head.epoch), timeout_ms: bigint((head) => head.timeoutMs && Math.ceil(head.timeoutMs)) });
const storedHead = newHeads.names.filter((name) => name !== 'timeout_ms');

/** Writes the heads that make executions open. Locks, index and bound as above. */
const HEADS = `
with moment as materialized (select argosy_now() as at)
insert into execution_heads (${storedHead.join(', ')}, deadline_at)
select ${storedHead.map((name) => `n.${name}`).join(', ')}, moment.at + n.timeout_ms from ${newHeads.from('n')}, moment`;

export const insertHeads = (rows: readonly NewHead[]): Query => ({ name: 'insert_heads', text: HEADS, values: newHeads.values(rows) });
