import { bigint, RowSet, type Query } from './row-set.ts';

interface RetryRow {
  readonly executionId: string;
  readonly retryOf: string;
}

const rows = new RowSet<RetryRow>({ execution_id: bigint((row) => row.executionId), retry_of: bigint((row) => row.retryOf) });

/**
 * Notes at ended executions that a retry of theirs has succeeded. Their own outcome stays.
 *
 * Locks   executions that have ended, by id.
 * Index   the primary key of the partition.
 * Bound   the executions that end with the batch.
 */
const TEXT = `update executions x set retry_success_id = r.execution_id from ${rows.from('r')} where x.execution_id = r.retry_of`;

export const noteRetrySuccess = (list: readonly RetryRow[]): Query => ({ name: 'note_retry_success', text: TEXT, values: rows.values(list) });
