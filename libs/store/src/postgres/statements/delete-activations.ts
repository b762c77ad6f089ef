import { activationKeys, sameRow, type ActivationAddress } from './activation-keys.ts';
import type { Query } from './row-set.ts';

/**
 * Removes activations that have settled.
 *
 * Locks   activations, by key; their executions' heads are held already.
 * Index   activations_pkey.
 * Bound   one row per commit of the batch.
 */
const TEXT = `
delete from activations a
using ${activationKeys.from('k')}
where ${sameRow}`;

export const deleteActivations = (keys: readonly ActivationAddress[]): Query => ({ name: 'delete_activations', text: TEXT, values: activationKeys.values(keys) });
