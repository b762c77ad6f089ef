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

export const activationKeys = new RowSet<ActivationAddress>(keyColumns);

/** The order in which every statement locks activations. */
export function byAddress(a: ActivationAddress, b: ActivationAddress): number {
  return byExecution(a, b) || (a.scope < b.scope ? -1 : a.scope > b.scope ? 1 : a.node - b.node || a.seq - b.seq);
}

/** Decimal numbers without leading zeros: the longer is the greater. */
export function byExecution(a: { readonly executionId: string }, b: { readonly executionId: string }): number {
  return a.executionId.length - b.executionId.length || (a.executionId < b.executionId ? -1 : a.executionId > b.executionId ? 1 : 0);
}
