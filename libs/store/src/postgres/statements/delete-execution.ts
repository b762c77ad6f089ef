import type { Query } from './row-set.ts';

const TABLES = ['runs', 'outputs', 'attempts', 'cells', 'list_entries', 'idempotency_keys', 'executions'];

/**
 * Removes an ended execution with its history.
 *
 * Locks   its rows; an ended execution is written by nobody.
 * Index   the primary keys by execution, idempotency_keys_execution.
 * Bound   one execution.
 */
export const deleteExecution = (executionId: string): Query[] => TABLES.map((table) => ({ name: `erase_${table}`, text: `delete from ${table} where execution_id = $1`, values: [executionId] }));
