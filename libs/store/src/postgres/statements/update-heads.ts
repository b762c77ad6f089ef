import { headColumns, type HeadState } from '../head-row.ts';
import { RowSet, type Query } from './row-set.ts';

export const heads = new RowSet<HeadState>(headColumns);

/** Assignments of everything a step writes, from an alias with the columns of `heads`. */
export const headAssignments = (alias: string): string =>
  [...heads.names.filter((name) => name !== 'execution_id' && name !== 'started_at').map((name) => `${name} = ${alias}.${name}`), `started_at = coalesce(h.started_at, ${alias}.started_at)`].join(', ');

/**
 * Writes the counters and root scopes of executions whose heads this transaction has locked.
 *
 * Locks   execution_heads: held already.
 * Index   execution_heads_pkey. No indexed column changes: the update stays on its page.
 * Bound   one row per execution of the batch.
 */
const TEXT = `
update execution_heads h set ${headAssignments('e')}
from ${heads.from('e')}
where h.execution_id = e.execution_id`;

export const updateHeads = (rows: readonly HeadState[]): Query => ({ name: 'update_heads', text: TEXT, values: heads.values(rows) });
