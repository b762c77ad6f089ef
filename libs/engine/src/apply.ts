import { driverKey, listKey, nodeKey, type DriverState, type ListState, type NodeTokens, type ScopeState, type Snapshot, type Token } from './snapshot.ts';
import type { Transition } from './transition.ts';

/**
 * The snapshot after a transition. For a complete snapshot the answer is complete again: this is how a memory store
 * lives, and how a worker that is alone on an execution knows its state without reading it back.
 */
export function applyTransition(snapshot: Snapshot, transition: Transition): Snapshot {
  const scopes = new Map<string, ScopeState>(snapshot.scopes);
  for (const scope of transition.scopes) scopes.set(scope.scope, scope);
  for (const scope of transition.closedScopes) scopes.delete(scope);

  const fired = new Map(snapshot.fired);
  const count = ({ scope, node, seq }: { scope: string; node: number; seq: number }) => {
    const key = nodeKey(scope, node);
    fired.set(key, Math.max(fired.get(key) ?? 0, seq + 1));
  };
  for (const activation of transition.created) count(activation);
  for (const run of transition.runs) count(run);

  const tokens = new Map<string, NodeTokens>(snapshot.tokens);
  const touched = new Set<string>();
  for (const token of transition.tokensTaken) remove(tokens, token, touched);
  for (const token of transition.tokensPut) {
    const key = nodeKey(token.scope, token.node);
    const before = tokens.get(key) ?? { tokens: [], more: [] };
    tokens.set(key, { ...before, tokens: [...before.tokens, token] });
  }
  for (const key of touched) if (tokens.get(key)?.tokens.length === 0) tokens.delete(key);
  for (const scope of transition.closedScopes) for (const key of tokens.keys()) if (key.slice(0, key.lastIndexOf(':')) === scope) tokens.delete(key);

  const drivers = new Map<string, DriverState>(snapshot.drivers);
  for (const driver of transition.drivers) drivers.set(driverKey(driver.scope, driver.node, driver.seq), driver);
  for (const { scope, node, seq } of transition.closedDrivers) drivers.delete(driverKey(scope, node, seq));

  const lists = new Map<string, ListState>(snapshot.lists);
  for (const entry of transition.appends) {
    const key = listKey(entry.scope, entry.node, entry.name);
    const before = lists.get(key) ?? { entries: 0, items: 0 };
    lists.set(key, { entries: before.entries + 1, items: Math.max(before.items, entry.firstItem + (entry.ref?.count ?? 1)) });
  }

  const gone = new Set(transition.unqueued);
  const queue = [...(snapshot.queue ?? []).filter((entry) => !gone.has(entry.position)), ...transition.queued].sort((a, b) => a.position - b.position);
  return {
    execution: transition.execution,
    scopes,
    fired,
    tokens: tokens as Snapshot['tokens'],
    waiting: waitingOf(tokens),
    queue,
    drivers: drivers as Snapshot['drivers'],
    lists,
    complete: snapshot.complete,
  };
}

function remove(tokens: Map<string, NodeTokens>, token: Token, touched: Set<string>): void {
  const key = nodeKey(token.scope, token.node);
  const before = tokens.get(key);
  if (!before) return;
  tokens.set(key, { ...before, tokens: before.tokens.filter((other) => other.pos !== token.pos) });
  touched.add(key);
}

/** Nodes that hold tokens, by scope, oldest token first. */
export function waitingOf(tokens: ReadonlyMap<string, NodeTokens>): Map<string, number[]> {
  const entries: { scope: string; node: number; since: number }[] = [];
  for (const { tokens: list } of tokens.values()) {
    const first = list[0];
    if (first) entries.push({ scope: first.scope, node: first.node, since: Math.min(...list.map((token) => token.pos)) });
  }
  entries.sort((a, b) => a.since - b.since);
  const waiting = new Map<string, number[]>();
  for (const { scope, node } of entries) {
    const list = waiting.get(scope);
    if (list) list.push(node);
    else waiting.set(scope, [node]);
  }
  return waiting;
}
