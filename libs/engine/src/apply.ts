import { driverKey, listKey, nodeKey, type DriverState, type ListState, type NodeKey, type NodeTokens, type ScopeState, type Snapshot, type Token } from './snapshot.ts';
import type { Transition } from './transition.ts';

/**
 * The snapshot after a transition. For a complete snapshot the answer is complete again: this is how a memory store
 * lives, and how a worker that is alone on an execution knows its state without reading it back.
 */
export function applyTransition(snapshot: Snapshot, transition: Transition): Snapshot {
  const scopes = new Map<string, ScopeState>(snapshot.scopes);
  for (const scope of transition.scopes) scopes.set(scope.scope, scope);
  for (const scope of transition.closedScopes) scopes.delete(scope);

  const fired = firedAfter(snapshot.fired, transition);
  const tokens = tokensAfter(snapshot.tokens, transition);

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
    arrivals: snapshot.arrivals,
    waiting: waitingOf(tokens),
    queue,
    drivers: drivers as Snapshot['drivers'],
    lists,
    complete: snapshot.complete,
  };
}

/** The same map when nothing fired: a run was counted when it was created, and a large program has many nodes. */
function firedAfter(before: Snapshot['fired'], { created, runs }: Transition): Snapshot['fired'] {
  let fired: Map<NodeKey, number> | null = null;
  for (const list of [created, runs]) {
    for (const { scope, node, seq } of list) {
      const key = nodeKey(scope, node);
      if (((fired ?? before).get(key) ?? 0) > seq) continue;
      fired ??= new Map(before);
      fired.set(key, seq + 1);
    }
  }
  return fired ?? before;
}

function tokensAfter(before: Snapshot['tokens'], { tokensTaken, tokensPut, closedScopes }: Transition): Map<string, NodeTokens> {
  const tokens = new Map<string, NodeTokens>(before);
  const taken = new Set(tokensTaken.map(({ pos }) => pos));
  for (const key of new Set(tokensTaken.map(({ scope, node }) => nodeKey(scope, node)))) {
    const held = tokens.get(key);
    if (held) tokens.set(key, { ...held, tokens: held.tokens.filter(({ pos }) => !taken.has(pos)) });
  }
  const put = new Map<string, Token[]>();
  for (const token of tokensPut) {
    const key = nodeKey(token.scope, token.node);
    const list = put.get(key);
    if (list) list.push(token);
    else put.set(key, [token]);
  }
  for (const [key, list] of put) tokens.set(key, { more: [], ...tokens.get(key), tokens: [...(tokens.get(key)?.tokens ?? []), ...list] });
  for (const { scope, node } of tokensTaken) if (tokens.get(nodeKey(scope, node))?.tokens.length === 0) tokens.delete(nodeKey(scope, node));
  for (const scope of closedScopes) for (const key of tokens.keys()) if (key.slice(0, key.lastIndexOf(':')) === scope) tokens.delete(key);
  return tokens;
}

/** Nodes that hold tokens, by scope, oldest token first. */
export function waitingOf(tokens: ReadonlyMap<string, NodeTokens>): Map<string, number[]> {
  const entries: { scope: string; node: number; since: number }[] = [];
  for (const { tokens: list } of tokens.values()) {
    const first = list[0];
    if (first) entries.push({ scope: first.scope, node: first.node, since: first.pos });
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
