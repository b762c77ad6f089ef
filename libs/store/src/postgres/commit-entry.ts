import type { ClaimedActivation, CommitOptions, CommitResult } from '../records.ts';
import type { Decide } from '../store.ts';
import type { HeldActivation } from './activation-row.ts';
import type { LeasedAddress } from './statements/lock-leases.ts';

export interface CommitEntry {
  readonly activation: ClaimedActivation & Partial<Pick<HeldActivation, 'hold'>>;
  readonly decide: Decide;
  readonly options: CommitOptions;
}

export const FENCED: CommitResult = { kind: 'fenced', ready: [], next: null, ended: null };

/** The key of the row that an activation is held in. */
export function addressOf({ executionId, scope, node, seq, leaseId, hold }: CommitEntry['activation']): LeasedAddress {
  return { executionId, scope, node: hold?.rowNode ?? node, seq: hold?.rowSeq ?? seq, leaseId };
}
