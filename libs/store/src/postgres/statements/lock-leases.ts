import { keyColumns, readyAt, sameRow, type ActivationAddress } from './activation-keys.ts';
import { bigint, RowSet, type Query } from './row-set.ts';

export interface LeasedAddress extends ActivationAddress {
  readonly leaseId: string;
}

export const leased = new RowSet<LeasedAddress>({ ...keyColumns, lease_id: bigint((key) => key.leaseId) });

/**
 * Locks activations whose leases are still held, and answers which.
 *
 * Locks   activations, by key; their heads are held already.
 * Index   activations_pkey.
 * Bound   the batch.
 * The status is compared as text: written plainly it makes the partial index of leases usable, and a plan from when few
 * were leased then looks at every lease there is for each commit.
 */
const TEXT = `
select a.execution_id, a.scope, a.node, a.seq, a.attempt, a.losses, ${readyAt} as ready_at, a.started_at
from ${leased.from('k')} join activations a on ${sameRow}
where a.status::text = 'x' and a.lease_id = k.lease_id
order by a.execution_id, a.scope, a.row_node, a.row_seq
for update of a`;

export const lockLeases = (keys: readonly LeasedAddress[]): Query => ({ name: 'lock_leases', text: TEXT, values: leased.values(keys) });
