import { driverKey, nodeKey, waitingOf, type DriverState, type ExecutionState, type NodeTokens, type QueuedFiring, type ScopeState, type Snapshot, type Token } from '@app/engine';
import type { OpenActivationRecord } from '../records.ts';

/** What an ended execution leaves behind, for a retry and for views. Runs, cells and lists are history anyway. */
export interface Remains {
  readonly execution: ExecutionState;
  readonly scopes: readonly ScopeState[];
  readonly tokens: readonly Token[];
  readonly queue: readonly QueuedFiring[];
  readonly drivers: readonly DriverState[];
  readonly activations: readonly OpenActivationRecord[];
}

/** As text; null for a success that left nothing, which is the common case. */
export function packRemains(snapshot: Snapshot, activations: readonly OpenActivationRecord[]): string | null {
  const { execution, queue } = snapshot;
  const tokens = [...snapshot.tokens.values()].flatMap((node) => node.tokens);
  if (execution.status === 'succeeded' && tokens.length === 0 && (queue ?? []).length === 0 && snapshot.drivers.size === 0) return null;
  const remains: Remains = { execution, scopes: [...snapshot.scopes.values()], tokens, queue: queue ?? [], drivers: [...snapshot.drivers.values()], activations };
  return JSON.stringify(remains);
}

export function unpackRemains(text: string): Remains {
  return JSON.parse(text) as Remains;
}

/** The snapshot of an ended execution; `settled` counts the firings in its history, where `lists` come from too. */
export function remainingSnapshot({ execution, scopes, tokens, queue, drivers, activations }: Remains, settled: Snapshot['fired'], lists: Snapshot['lists']): Snapshot {
  const fired = new Map(settled);
  for (const { scope, node, seq } of [...activations, ...drivers]) fired.set(nodeKey(scope, node), Math.max(fired.get(nodeKey(scope, node)) ?? 0, seq + 1));
  const nodes = new Map<`${string}:${number}`, NodeTokens>();
  for (const token of tokens) {
    const key = nodeKey(token.scope, token.node);
    nodes.set(key, { tokens: [...(nodes.get(key)?.tokens ?? []), token], more: [] });
  }
  return {
    execution,
    scopes: new Map(scopes.map((scope) => [scope.scope, scope])),
    fired,
    tokens: nodes,
    arrivals: new Map(),
    waiting: waitingOf(nodes),
    queue,
    drivers: new Map(drivers.map((driver) => [driverKey(driver.scope, driver.node, driver.seq), driver])),
    lists,
    complete: true,
  };
}
