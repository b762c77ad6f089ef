import type { ActivationKey } from '@app/engine';
import { bigint, integer, RowSet, text } from './row-set.ts';

export interface ActivationAddress extends ActivationKey {
  readonly executionId: string;
}

export const keyColumns = {
  execution_id: bigint<ActivationAddress>((key) => key.executionId),
  scope: text<ActivationAddress>((key) => key.scope),
  node: integer<ActivationAddress>((key) => key.node),
  seq: integer<ActivationAddress>((key) => key.seq),
};

/** The row of an activation (a) by the key in k. Its key is its node and seq, unless a worker went on in it. */
export const sameRow = 'a.execution_id = k.execution_id and a.scope = k.scope and a.row_node = k.node and a.row_seq = k.seq';

/** Makes the row's key what the activation is. */
export const ownKey = 'row_node = a.node, row_seq = a.seq';

/** When an activation could be claimed: at once, for one that a worker went on with; ready_at is in an index and stays then. */
export const readyAt = 'case when a.row_node = a.node and a.row_seq = a.seq then a.ready_at else a.started_at end';

export const activationKeys = new RowSet<ActivationAddress>(keyColumns);

/** The order in which every statement locks activations. */
export function byAddress(a: ActivationAddress, b: ActivationAddress): number {
  return byExecution(a, b) || (a.scope < b.scope ? -1 : a.scope > b.scope ? 1 : a.node - b.node || a.seq - b.seq);
}

/** Decimal numbers without leading zeros: the longer is the greater. */
export function byExecution(a: { readonly executionId: string }, b: { readonly executionId: string }): number {
  return a.executionId.length - b.executionId.length || (a.executionId < b.executionId ? -1 : a.executionId > b.executionId ? 1 : 0);
}
