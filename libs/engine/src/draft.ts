import { childScope, type ActivationKey, type Firing, type NewActivation, type ScopePath } from './activation.ts';
import { DraftTokens } from './draft-tokens.ts';
import type { HeldTokens } from './held-tokens.ts';
import type { Instant } from './json.ts';
import type { LinkedProgram } from './linked-program.ts';
import { Missing } from './missing.ts';
import {
  driverKey,
  listKey,
  nodeKey,
  type Cell,
  type DriverKey,
  type DriverState,
  type ExecutionState,
  type ListState,
  type NodeKey,
  type QueuedFiring,
  type ScopeState,
  type Snapshot,
  type Tally,
  type Token,
} from './snapshot.ts';
import type { ExecutionEnd, ListAppend, ReopenedActivation, SettledRun, Transition } from './transition.ts';
import type { Resume } from './activation.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The state an event meets, as it changes during one step. Reads fall through to the snapshot; writes are collected
 * and become the transition. Lives for one call of `step`.
 */
export class Draft {
  readonly execution: Mutable<ExecutionState>;
  closed: ActivationKey | null = null;
  reopened: ReopenedActivation | null = null;
  end: ExecutionEnd | null = null;
  readonly runs: SettledRun[] = [];
  readonly created: NewActivation[] = [];
  readonly woken: (ActivationKey & { readonly resume: Resume })[] = [];
  readonly cells: Cell[] = [];
  readonly appends: ListAppend[] = [];

  private readonly scopes = new Map<ScopePath, Mutable<ScopeState>>();
  private readonly closedScopes: ScopePath[] = [];
  private readonly fired = new Map<NodeKey, number>();
  private readonly tokens: DraftTokens;
  private readonly waiting = new Map<ScopePath, number[]>();
  private queue: QueuedFiring[] | null = null;
  private readonly unqueued: number[] = [];
  private readonly drivers = new Map<DriverKey, DriverState>();
  private readonly closedDrivers: ActivationKey[] = [];
  private readonly lists = new Map<string, ListState>();

  constructor(
    readonly program: LinkedProgram,
    private readonly base: Snapshot,
    readonly now: Instant,
  ) {
    this.execution = { ...base.execution };
    this.tokens = new DraftTokens(program, base, (scope) => this.isNew(scope));
  }

  // --- scopes

  scope(path: ScopePath): Mutable<ScopeState> {
    let state = this.scopes.get(path);
    if (!state) {
      const base = this.base.scopes.get(path);
      if (!base && !this.base.complete) throw new Missing({ kind: 'scope', scope: path });
      state = base ? { ...base } : emptyScope(path);
      this.scopes.set(path, state);
    }
    return state;
  }

  openScope(path: ScopePath): void {
    this.scopes.set(path, emptyScope(path));
  }

  closeScope(path: ScopePath): void {
    this.scopes.delete(path);
    // Whoever closes a scope has read it: what is not in the base was opened in this very step and leaves no row.
    if (this.base.scopes.has(path)) this.closedScopes.push(path);
  }

  /** Stopped scopes whose last open work was dropped from the queue: nothing settles in them that would end them. */
  readonly emptied = new Set<ScopePath>();

  isOpenScope(path: ScopePath): boolean {
    return this.scopes.has(path) || (this.base.scopes.has(path) && !this.closedScopes.includes(path));
  }

  /** Counts one more (or one less) open piece of work in a scope and on the cycle of its node. */
  count(path: ScopePath, node: number, by: 1 | -1, what: 'open' | 'suspended'): void {
    const scope = this.scope(path);
    scope[what] += by;
    const cycle = this.program.cycle[node] ?? -1;
    if (cycle >= 0) scope.cycles = { ...scope.cycles, [cycle]: (scope.cycles[cycle] ?? 0) + by };
  }

  // --- firings

  takeSeq(scope: ScopePath, node: number): number {
    const key = nodeKey(scope, node);
    const seq = this.firedCount(scope, node);
    this.fired.set(key, seq + 1);
    return seq;
  }

  firedCount(scope: ScopePath, node: number): number {
    const key = nodeKey(scope, node);
    const count = this.fired.get(key) ?? this.base.fired.get(key);
    if (count !== undefined) return count;
    // In a scope that this step opened nothing can have fired.
    if (!this.base.complete && !this.isNew(scope)) throw new Missing({ kind: 'fired', scope, node });
    return 0;
  }

  private isNew(scope: ScopePath): boolean {
    return this.scopes.has(scope) && !this.base.scopes.has(scope) && scope !== '';
  }

  // --- tokens

  tokensOf(scope: ScopePath, node: number): HeldTokens {
    return this.tokens.of(scope, node);
  }

  /** The token that the next one of an edge finds in its latch, and how the next one is to be counted. */
  expectToken(scope: ScopePath, node: number, edge: number, live: boolean): { readonly before: Token | null; readonly tally: Tally } {
    return this.tokens.expect(scope, node, edge, live);
  }

  /** False when a node neither fires nor is skipped with what it holds; true when one has to look. */
  mayAct(scope: ScopePath, node: number): boolean {
    return this.tokens.mayAct(scope, node);
  }

  putToken(token: Omit<Token, 'pos'>): void {
    const waiting = this.waitingList(token.scope);
    this.tokens.add({ ...token, pos: this.execution.tokens++ });
    if (waiting && !waiting.includes(token.node)) waiting.push(token.node);
    this.scope(token.scope).held += 1;
  }

  takeToken(token: Token): void {
    this.tokens.remove(token);
    const waiting = this.waitingList(token.scope);
    if (waiting?.includes(token.node) && this.tokens.isEmpty(token.scope, token.node)) waiting.splice(waiting.indexOf(token.node), 1);
    this.scope(token.scope).held -= 1;
  }

  /** Nodes that hold tokens in a scope, in the order in which they began to wait. */
  waitingNodes(scope: ScopePath): readonly number[] {
    const list = this.waitingList(scope);
    if (!list) throw new Missing({ kind: 'waiting', scope });
    return list;
  }

  private waitingList(scope: ScopePath): number[] | null {
    let list = this.waiting.get(scope);
    if (!list) {
      const base = this.base.waiting.get(scope);
      if (!base && !this.base.complete) return null;
      list = [...(base ?? [])];
      this.waiting.set(scope, list);
    }
    return list;
  }

  // --- queue of firings

  enqueue(firing: Firing, where: 'front' | 'back'): void {
    const position = where === 'front' ? this.execution.front-- : this.execution.back++;
    const entry = { ...firing, position };
    this.execution.queued += 1;
    const queue = this.loadedQueue();
    if (where === 'front') queue.unshift(entry);
    else if (queue.length === this.execution.queued - 1) queue.push(entry);
    else this.behind.push(entry);
  }

  /** Entries put behind a part of the queue that is not loaded. */
  private readonly behind: QueuedFiring[] = [];

  /** The firing whose turn it is. */
  frontOfQueue(): QueuedFiring {
    const entry = this.loadedQueue()[0];
    if (!entry) throw new Missing({ kind: 'queue' });
    return entry;
  }

  dequeue(): QueuedFiring {
    const entry = this.frontOfQueue();
    this.loadedQueue().shift();
    this.execution.queued -= 1;
    if (this.base.queue?.some((queued) => queued.position === entry.position)) this.unqueued.push(entry.position);
    return entry;
  }

  /** The queue as far as it is loaded. */
  loadedQueue(): QueuedFiring[] {
    if (!this.queue) {
      if (this.base.queue === null && this.base.execution.queued > 0) throw new Missing({ kind: 'queue' });
      this.queue = [...(this.base.queue ?? [])];
    }
    return this.queue;
  }

  // --- drivers and lists

  driver(scope: ScopePath, node: number, seq: number): DriverState {
    const key = driverKey(scope, node, seq);
    const driver = this.drivers.get(key) ?? this.base.drivers.get(key);
    if (!driver) throw new Missing({ kind: 'driver', scope, node, seq });
    return driver;
  }

  writeDriver(state: DriverState): void {
    this.drivers.set(driverKey(state.scope, state.node, state.seq), state);
  }

  closeDriver({ scope, node, seq }: ActivationKey): void {
    const key = driverKey(scope, node, seq);
    this.drivers.delete(key);
    this.closedDrivers.push({ scope, node, seq });
  }

  list(scope: ScopePath, node: number, name: string): ListState {
    const key = listKey(scope, node, name);
    const list = this.lists.get(key) ?? this.base.lists.get(key);
    if (!list && !this.base.complete) throw new Missing({ kind: 'list', scope, node, name });
    return list ?? { entries: 0, items: 0 };
  }

  append(entry: ListAppend): void {
    this.appends.push(entry);
    const list = this.list(entry.scope, entry.node, entry.name);
    this.lists.set(listKey(entry.scope, entry.node, entry.name), {
      entries: list.entries + 1,
      items: Math.max(list.items, entry.firstItem + (entry.ref?.count ?? 1)),
    });
  }

  openChild(parent: ScopePath, node: number, seq: number, index: number): ScopePath {
    const scope = childScope(parent, node, seq, index);
    this.openScope(scope);
    return scope;
  }

  toTransition(): Transition {
    const queued = (this.queue ?? []).filter((entry) => !this.base.queue?.some((known) => known.position === entry.position));
    return {
      kind: 'transition',
      execution: { ...this.execution, commits: this.base.execution.commits + 1 },
      closed: this.closed,
      reopened: this.reopened,
      runs: this.runs,
      created: this.created,
      woken: this.woken,
      scopes: [...this.scopes.values()],
      closedScopes: this.closedScopes,
      tokensPut: [...this.tokens.put.values()],
      tokensTaken: this.tokens.taken,
      queued: [...queued, ...this.behind],
      unqueued: this.unqueued,
      drivers: [...this.drivers.values()],
      closedDrivers: this.closedDrivers,
      cells: this.cells,
      appends: this.appends,
      end: this.end,
    };
  }
}

export function emptyScope(scope: ScopePath): Mutable<ScopeState> {
  return { scope, open: 0, suspended: 0, held: 0, cycles: {}, heldDead: [], result: null, stopped: false, error: null };
}
