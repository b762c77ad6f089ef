import { plainValues, type Query } from './row-set.ts';

/**
 * Removes the hot rows of executions that end: nothing of an ended execution can be claimed, woken or counted.
 *
 * Locks   execution_heads (held already), then the rest, by execution.
 * Index   the primary key of each table.
 * Bound   the executions that end with the batch; a canceled one may have many rows.
 */
const TABLES = ['activations', 'tokens', 'scopes', 'queued_firings', 'drivers', 'signals', 'execution_heads'];

export const clearEnded = (executionIds: readonly string[]): Query[] =>
  TABLES.map((table) => ({ name: `clear_${table}`, text: `delete from ${table} where execution_id = any($1::bigint[])`, values: [plainValues(executionIds)] }));
