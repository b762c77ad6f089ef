import { plainValues, type Query } from './row-set.ts';

/** Several reads that must show the same moment. */
export const SNAPSHOT: Query = { name: 'begin_snapshot', text: 'begin isolation level repeatable read read only', values: [] };

/** Heads of open executions. Locks none; index execution_heads_pkey; bound the ids given. */
export const readHeads = (ids: readonly string[]): Query => ({
  name: 'read_heads',
  text: 'select h.* from execution_heads h where h.execution_id = any($1::bigint[])',
  values: [plainValues(ids)],
});
