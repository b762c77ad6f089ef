import { activationKeys, type ActivationAddress } from './activation-keys.ts';
import type { Query } from './row-set.ts';

/**
 * What has become of activations whose commit got no answer: their run, the driver of a region that was entered, and
 * the activation itself.
 *
 * Locks   none.
 * Index   the primary keys of runs' partition, drivers, activations.
 * Bound   the batch.
 */
const TEXT = `
select k.execution_id, k.scope, k.node, k.seq, r.attempt as run_attempt, r.status as run_status, d.node is not null as driven,
  a.status, a.lease_id, a.attempt, a.losses
from ${activationKeys.from('k')}
left join runs r using (execution_id, scope, node, seq)
left join drivers d using (execution_id, scope, node, seq)
left join activations a using (execution_id, scope, node, seq)`;

export const findOutcome = (keys: readonly ActivationAddress[]): Query => ({ name: 'find_outcome', text: TEXT, values: activationKeys.values(keys) });
