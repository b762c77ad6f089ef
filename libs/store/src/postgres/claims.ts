import { randomInt } from 'node:crypto';
import { activationId, parseActivationId } from '@app/engine';
import type { ClaimedActivation } from '../records.ts';
import type { Outcome } from './batcher.ts';
import { byAddress, type ActivationAddress } from './statements/activation-keys.ts';
import { isId } from './history.ts';

export interface Lease {
  readonly id: string;
  readonly ms: number;
  readonly worker: string;
}

export const newLease = (worker: string, leaseMs: number): Lease => ({ id: String(randomInt(1, 2 ** 47)), ms: Math.ceil(leaseMs), worker });

/** One call of `claim`, until it shares a statement with others. */
export interface ClaimEntry {
  readonly keys: readonly ActivationAddress[];
  readonly worker: string;
  readonly leaseMs: number;
  readonly suspects: number;
}

/** What can be read as an activation's id; a message may carry anything. */
export function addressesOf(ids: readonly string[]): ActivationAddress[] {
  return ids.flatMap((id) => {
    const parsed = parseActivationId(id);
    return parsed && isId(parsed.execution) ? [{ executionId: parsed.execution, scope: parsed.scope, node: parsed.node, seq: parsed.seq }] : [];
  });
}

/** Claims that come together share a statement; who asks for the same activation as another one comes second. */
export async function claimTogether(entries: readonly ClaimEntry[], take: (keys: readonly ActivationAddress[], lease: Lease, suspects: number) => Promise<ClaimedActivation[]>): Promise<Outcome<ClaimedActivation[]>[]> {
  const { worker, leaseMs, suspects } = entries[0]!;
  const shared = entries.filter((entry) => entry.worker === worker && entry.leaseMs === leaseMs && entry.suspects === suspects);
  const rest = entries.filter((entry) => !shared.includes(entry));
  const keys = [...new Map(shared.flatMap((entry) => entry.keys).map((key) => [activationId(key.executionId, key), key])).values()].sort(byAddress);
  const claimed = new Map((await take(keys, newLease(worker, leaseMs), suspects)).map((activation) => [activation.id, activation]));
  const outcomes = new Map<ClaimEntry, Outcome<ClaimedActivation[]>>();
  for (const entry of shared) {
    // Two messages about one activation may come in one batch: whoever is named twice is still handed over once.
    const own = [...new Set(entry.keys.map((key) => activationId(key.executionId, key)))];
    outcomes.set(entry, { result: own.flatMap((id) => claimed.get(id) ?? []) });
    for (const id of own) claimed.delete(id);
  }
  const others = rest.length > 0 ? await claimTogether(rest, take) : [];
  rest.forEach((entry, index) => outcomes.set(entry, others[index]!));
  return entries.map((entry) => outcomes.get(entry)!);
}
