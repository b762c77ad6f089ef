import {
  applyTransition,
  arrivalKey,
  driverKey,
  listKey,
  nodeKey,
  ROOT,
  waitingOf,
  type Arrival,
  type ArrivalKey,
  type DriverState,
  type ListState,
  type Need,
  type NodeKey,
  type NodeTokens,
  type QueuedFiring,
  type ScopeState,
  type Snapshot,
  type Token,
  type Transition,
} from '@app/engine';
import { unpackFiring, unpackHeld } from './compact.ts';
import type { Row } from './connection.ts';
import { executionOf, rootOf } from './head-row.ts';
import { QUEUE_FRONT, TOKENS_PER_SLOT } from './statements/load-rows.ts';

/** The snapshot that a head alone gives: the counters and the root scope. */
export function headSnapshot(head: Row): Snapshot {
  const execution = executionOf(head);
  return {
    execution,
    scopes: new Map([[ROOT, rootOf(head)]]),
    fired: new Map(),
    tokens: new Map(),
    arrivals: new Map(),
    waiting: new Map(),
    queue: execution.queued === 0 ? [] : null,
    drivers: new Map(),
    lists: new Map(),
    complete: false,
  };
}

/** With all rows of the execution, as `loadWhole` gives them. */
export function wholeSnapshot(head: Row, rows: readonly Row[]): Snapshot {
  const loaded = withRows(headSnapshot(head), rows, () => true);
  return { ...loaded, queue: loaded.queue ?? [], waiting: waitingOf(loaded.tokens), complete: true };
}

/** With the rows that were asked for. What has no row is known to be empty from now on. */
export function withNeeds(snapshot: Snapshot, needs: readonly Need[], rows: readonly Row[]): Snapshot {
  const all = new Set(needs.flatMap((need) => (need.kind === 'allTokens' ? [nodeKey(need.scope, need.node)] : [])));
  const loaded = withRows(snapshot, rows, (key) => all.has(key));
  const tokens = new Map(loaded.tokens);
  const arrivals = new Map(snapshot.arrivals);
  const arrived = answered(rows);
  const lists = new Map(loaded.lists);
  const waiting = new Map(loaded.waiting);
  const every = waitingOf(tokens);
  for (const need of needs) {
    if (need.kind === 'tokens' || need.kind === 'allTokens') tokens.set(nodeKey(need.scope, need.node), tokens.get(nodeKey(need.scope, need.node)) ?? { tokens: [], more: [] });
    else if (need.kind === 'list') lists.set(listKey(need.scope, need.node, need.name), lists.get(listKey(need.scope, need.node, need.name)) ?? { entries: 0, items: 0 });
    else if (need.kind === 'arrival') {
      const here = arrived.get(nodeKey(need.scope, need.node));
      arrivals.set(arrivalKey(need.scope, need.node, need.edge), { own: here?.find((token) => token.edge === need.edge) ?? null, last: here?.at(-1) ?? null });
    }
    else if (need.kind === 'waiting') waiting.set(need.scope, every.get(need.scope) ?? []);
  }
  return { ...loaded, tokens, arrivals, lists, waiting, queue: loaded.queue ?? (needs.some((need) => need.kind === 'queue') ? [] : null) };
}

/** `isWhole` says of which nodes the rows are all there are, however many. */
function withRows(snapshot: Snapshot, rows: readonly Row[], isWhole: (key: NodeKey) => boolean): Snapshot {
  const scopes = new Map<string, ScopeState>(snapshot.scopes);
  const fired = new Map(snapshot.fired);
  const drivers = new Map<string, DriverState>(snapshot.drivers);
  const lists = new Map<string, ListState>(snapshot.lists);
  const queue: QueuedFiring[] = [];
  const tokens: Token[] = [];
  for (const { kind, scope, node, seq, a, b, body } of rows) {
    const [path, index, number] = [scope as string, Number(node), Number(a)];
    if (kind === 'f') fired.set(nodeKey(path, index), number);
    else if (kind === 't') tokens.push(tokenOf(path, index, seq, number, b, body));
    else if (kind === 's') scopes.set(path, { scope: path, ...(JSON.parse(body as string) as Omit<ScopeState, 'scope'>) });
    else if (kind === 'd') drivers.set(driverKey(path, index, Number(seq)), JSON.parse(body as string) as DriverState);
    else if (kind === 'q') queue.push({ ...unpackFiring(body as string), position: number });
    else if (kind === 'l') lists.set(listKey(path, index, body as string), { entries: number, items: Number(b) });
  }
  return {
    ...snapshot,
    scopes,
    fired,
    tokens: tokens.length > 0 ? new Map([...snapshot.tokens, ...byNode(tokens, isWhole).filter(([key]) => snapshot.tokens.get(key)?.more.length !== 0)]) : snapshot.tokens,
    queue: queue.length > 0 ? queue.sort((x, y) => x.position - y.position).slice(0, QUEUE_FRONT) : snapshot.queue,
    drivers: drivers as Snapshot['drivers'],
    lists,
  };
}

function tokenOf(scope: string, node: number, slot: unknown, pos: number, live: unknown, body: unknown): Token {
  return { ...unpackHeld(body as string), scope, node, slot: Number(slot), pos, live: live === 1 };
}

/** Tokens that arrivals were answered with: of each node the youngest one, and those of the edges that were asked for. */
function answered(rows: readonly Row[]): Map<NodeKey, Token[]> {
  const tokens = new Map<number, Token>();
  for (const { kind, scope, node, seq, a, b, body } of rows) if (kind === 'a' && !tokens.has(Number(a))) tokens.set(Number(a), tokenOf(scope as string, Number(node), seq, Number(a), b, body));
  return Map.groupBy([...tokens.values()].sort((x, y) => x.pos - y.pos), ({ scope, node }) => nodeKey(scope, node));
}

function byNode(tokens: readonly Token[], isWhole: (key: NodeKey) => boolean): [NodeKey, NodeTokens][] {
  const nodes = new Map<NodeKey, Token[]>();
  // A need for a scope and one for a node in it bring the same tokens twice: positions are unique in an execution.
  const unique = [...new Map(tokens.map((token) => [token.pos, token])).values()];
  for (const token of unique.sort((a, b) => a.pos - b.pos)) {
    const key = nodeKey(token.scope, token.node);
    const list = nodes.get(key);
    if (list) list.push(token);
    else nodes.set(key, [token]);
  }
  return [...nodes].map(([key, list]) => [key, isWhole(key) ? { tokens: list, more: [] } : cut(list)]);
}

/** Beyond the number that one load brings, a slot has more. */
function cut(tokens: readonly Token[]): NodeTokens {
  if (tokens.length <= TOKENS_PER_SLOT) return { tokens, more: [] };
  const counts = new Map<number, number>();
  const kept = tokens.filter(({ slot }) => {
    counts.set(slot, (counts.get(slot) ?? 0) + 1);
    return counts.get(slot)! <= TOKENS_PER_SLOT;
  });
  return { tokens: kept, more: [...counts].flatMap(([slot, count]) => (count > TOKENS_PER_SLOT ? [slot] : [])) };
}

/**
 * The snapshot after a transition, for the next commit of the same execution in the same transaction. What was not
 * loaded before stays not loaded: rows written meanwhile must not make a part look like the whole.
 */
export function afterTransition(snapshot: Snapshot, transition: Transition): Snapshot {
  const after = applyTransition(snapshot, transition);
  if (after.complete) return after;
  const tokens = new Map([...after.tokens].filter(([key]) => isKnown(snapshot, key)));
  for (const [key, before] of snapshot.tokens) {
    const now = tokens.get(key)?.tokens ?? [];
    const last = new Map(before.more.map((slot) => [slot, Math.max(...before.tokens.filter((token) => token.slot === slot).map((token) => token.pos))]));
    tokens.set(key, { tokens: now.filter((token) => token.pos <= (last.get(token.slot) ?? Infinity)), more: before.more });
  }
  const every = waitingOf(tokens);
  const arrivals = new Map([...snapshot.arrivals].flatMap(([key, arrival]) => arrivalAfter(arrival, key, transition)));
  return { ...after, tokens, arrivals, waiting: new Map([...snapshot.waiting.keys()].map((scope) => [scope, every.get(scope) ?? []])), queue: frontAfter(snapshot, after) };
}

/** Of other nodes a transition shows only what it put there. */
function isKnown({ tokens, waiting, scopes }: Snapshot, key: NodeKey): boolean {
  const scope = key.slice(0, key.lastIndexOf(':'));
  return tokens.has(key) || waiting.has(scope) || !scopes.has(scope);
}

/** Nothing when the youngest token was taken: which one is the youngest now is not known. */
function arrivalAfter({ own, last }: Arrival, key: ArrivalKey, { tokensPut, tokensTaken }: Transition): [ArrivalKey, Arrival][] {
  const put = tokensPut.filter((token) => key.startsWith(`${nodeKey(token.scope, token.node)}:`));
  const isTaken = (token: Token | null) => token !== null && tokensTaken.some(({ pos }) => pos === token.pos);
  if (put.length === 0 && isTaken(last)) return [];
  return [[key, { own: put.findLast((token) => arrivalKey(token.scope, token.node, token.edge) === key) ?? (isTaken(own) ? null : own), last: put.at(-1) ?? last }]];
}

function frontAfter(before: Snapshot, after: Snapshot): Snapshot['queue'] {
  if (before.queue === null) return null;
  if (before.queue.length >= before.execution.queued) return after.queue;
  const last = before.queue.at(-1)?.position ?? -Infinity;
  return (after.queue ?? []).filter((entry) => entry.position <= last);
}
