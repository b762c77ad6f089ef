import { integer, RowSet, type Query } from './row-set.ts';
import { keyColumns, type ActivationAddress } from './activation-keys.ts';

export interface SoughtActivation extends ActivationAddress {
  /** The key of its row, where that is another one. */
  readonly row: ActivationAddress;
}

const sought = new RowSet<SoughtActivation>({ ...keyColumns, row_node: integer((key) => key.row.node), row_seq: integer((key) => key.row.seq) });

/**
 * What has become of activations whose commit got no answer: their run, the driver of a region that was entered, and
 * the row of the activation itself, which may be its successor's by now.
 *
 * Locks   none.
 * Index   the primary keys of runs' partition, drivers, activations.
 * Bound   the batch.
 */
const TEXT = `
select k.execution_id, k.scope, k.node, k.seq, r.attempt as run_attempt, r.status as run_status, d.node is not null as driven,
  a.status, a.lease_id, a.attempt, a.losses
from ${sought.from('k')}
left join runs r on r.execution_id = k.execution_id and r.scope = k.scope and r.node = k.node and r.seq = k.seq
left join drivers d on d.execution_id = k.execution_id and d.scope = k.scope and d.node = k.node and d.seq = k.seq
left join activations a on a.execution_id = k.execution_id and a.scope = k.scope and a.node = k.node and a.seq = k.seq
  and (a.row_node, a.row_seq) in ((k.row_node, k.row_seq), (k.node, k.seq))`;

export const findOutcome = (keys: readonly SoughtActivation[]): Query => ({ name: 'find_outcome', text: TEXT, values: sought.values(keys) });
