import type { ExecutionEnd } from '@app/engine';
import { executionStatus } from '../codes.ts';
import { bigint, char, integer, RowSet, text, type Column, type Query } from './row-set.ts';

export interface EndRow {
  readonly executionId: string;
  readonly end: ExecutionEnd;
  readonly startedAt: number | null;
  readonly commits: number;
  readonly spent: number;
  readonly warnings: readonly string[];
  /** What it leaves behind, for a retry and for views: see remains.ts. */
  readonly remains: string | null;
}

export const endColumns: { readonly [name: string]: Column<EndRow> } = {
  execution_id: bigint((row) => row.executionId),
  status: char((row) => executionStatus.code(row.end.status)),
  started_at: bigint((row) => row.startedAt),
  commits: integer((row) => row.commits),
  spent: integer((row) => row.spent),
  cause: text((row) => row.end.cause),
  error: text((row) => row.end.error && JSON.stringify(row.end.error)),
  warnings: text((row) => (row.warnings.length > 0 ? JSON.stringify(row.warnings) : null)),
  remains: text((row) => row.remains),
};

const ends = new RowSet<EndRow>(endColumns);

export const endAssignments =
  'status = e.status, started_at = coalesce(e.started_at, moment.at), finished_at = moment.at, commits = e.commits, spent = e.spent, cause = e.cause, error = e.error, warnings = e.warnings, remains = e.remains';

/**
 * Writes how executions ended. Their heads go in the same transaction, so that nothing can end twice.
 *
 * Locks   executions; their heads are held already.
 * Index   the primary key of the partition.
 * Bound   the executions of the batch.
 */
const TEXT = `
with moment as materialized (select argosy_now() as at)
update executions x set ${endAssignments}
from ${ends.from('e')}, moment
where x.execution_id = e.execution_id`;

export const endExecutions = (rows: readonly EndRow[]): Query => ({ name: 'end_executions', text: TEXT, values: ends.values(rows) });
