import type { Firing, InputToken, OutputRef, ScopePath } from './activation.ts';
import type { ErrorShape } from './item.ts';
import type { Json } from './json.ts';
import type { EndCause, ExecutionStatus } from './execution.ts';

/** The few numbers of an execution that every step reads and writes. */
export interface ExecutionState {
  readonly status: ExecutionStatus;
  /** Steps committed so far: the number of the next one. Gapless. */
  readonly commits: number;
  /** Activations ready or running, in all scopes. */
  readonly open: number;
  /** Activations suspended, in all scopes. */
  readonly suspended: number;
  /** Set once the execution is bound to end: nothing new starts, what runs may finish. */
  readonly ending: { readonly status: 'succeeded' | 'failed'; readonly cause: EndCause | null; readonly error: ErrorShape | null } | null;
  /** Ends of the queue of firings: the next to go in front gets `front`, the next behind gets `back`. */
  readonly front: number;
  readonly back: number;
  readonly queued: number;
  /** Number of the next token. */
  readonly tokens: number;
  /** Used up of the budget, in tenths of a run. */
  readonly spent: number;
  /** Nodes that could not run for lack of inputs, by name; told to the user. */
  readonly warnings: readonly string[];
}

export const NEW_EXECUTION: ExecutionState = {
  status: 'queued',
  commits: 0,
  open: 0,
  suspended: 0,
  ending: null,
  front: 0,
  back: 1,
  queued: 0,
  tokens: 0,
  spent: 0,
  warnings: [],
};

/** One scope that is open. A scope without activations, suspensions or complete groups is quiet. */
export interface ScopeState {
  readonly scope: ScopePath;
  /** Activations ready or running and queued firings, child scopes' regions included (a region counts as one). */
  readonly open: number;
  readonly suspended: number;
  /** Tokens in slots. */
  readonly held: number;
  /** Open activations by cycle, for dead tokens that wait until a cycle is quiet. */
  readonly cycles: { readonly [cycle: string]: number };
  /** Dead tokens held at the exits of cycles, by edge. */
  readonly heldDead: readonly number[];
  /** What the latest finished run (of the region's result node, if it names one) sent out: the scope's result. */
  readonly result: OutputRef | null;
  /** Nothing more starts in it: its iteration failed (`error`) or was told to break. */
  readonly stopped: boolean;
  readonly error: ErrorShape | null;
}

export interface Token extends InputToken {
  readonly scope: ScopePath;
  readonly node: number;
  readonly slot: number;
  /** Order of arrival within the execution. */
  readonly pos: number;
  readonly live: boolean;
  /** In a latch: what the node held when this token had been put. */
  readonly tally?: Tally;
}

/**
 * How much a node holds in a scope. The tally of the youngest token that is left counts at least what is there: nothing
 * is put without being counted, and what was taken since makes it count too much.
 */
export interface Tally {
  readonly tokens: number;
  readonly live: number;
}

/** What one more token of an edge meets at a wide join: as much as it takes to go on counting. */
export interface Arrival {
  /** The token of the same edge. */
  readonly own: Token | null;
  /** The youngest token of the node. */
  readonly last: Token | null;
}

/** The tokens of one node in one scope. For a long queue only the first few are loaded; `more` says so. */
export interface NodeTokens {
  readonly tokens: readonly Token[];
  /** By slot: there are further tokens behind those given. */
  readonly more: readonly number[];
}

export interface QueuedFiring extends Firing {
  readonly position: number;
}

/** The memory of a region's driver for one firing of the region. */
export interface DriverState {
  readonly scope: ScopePath;
  readonly node: number;
  readonly seq: number;
  /** Iterations to make; null while a condition decides. */
  readonly total: number | null;
  readonly next: number;
  /** Indexes of open scopes. */
  readonly running: readonly number[];
  /** Finished iterations that did not fail. Their results are cells of the region, one row each. */
  readonly finished: number;
  readonly broken: boolean;
  readonly branches: readonly number[] | null;
  /** Error that ends the region once its open scopes have ended. */
  readonly error: ErrorShape | null;
  /** What the region's run began with and its attempt, for its row of history. */
  readonly inputs: readonly (InputToken | null)[];
  readonly cause: Firing['cause'];
  readonly attempt: number;
  /** Set when the scopes are calls of a suspended activation, not iterations of a region. */
  readonly invocations: boolean;
}

export interface Cell {
  readonly scope: ScopePath;
  /** Owner; -1 for variables. */
  readonly node: number;
  readonly name: string;
  readonly value: Json;
}

/** Key of a node in a scope. */
export type NodeKey = `${ScopePath}:${number}`;

export const nodeKey = (scope: ScopePath, node: number): NodeKey => `${scope}:${node}`;

/** Key of an edge that ends at a node, in a scope. */
export type ArrivalKey = `${NodeKey}:${number}`;

export const arrivalKey = (scope: ScopePath, node: number, edge: number): ArrivalKey => `${nodeKey(scope, node)}:${edge}`;

/** One firing of a region owns one driver. */
export type DriverKey = `${ScopePath}:${number}.${number}`;

export const driverKey = (scope: ScopePath, node: number, seq: number): DriverKey => `${scope}:${node}.${seq}`;

/**
 * The part of an execution's state that an event touches. Rows, never payloads: its size is bounded by the program,
 * not by how long the execution has run. What was not loaded is absent, unless `complete` says that absent means empty.
 */
export interface Snapshot {
  readonly execution: ExecutionState;
  readonly scopes: ReadonlyMap<ScopePath, ScopeState>;
  /** Firings created so far. */
  readonly fired: ReadonlyMap<NodeKey, number>;
  readonly tokens: ReadonlyMap<NodeKey, NodeTokens>;
  /** For nodes whose tokens were not loaded. */
  readonly arrivals: ReadonlyMap<ArrivalKey, Arrival>;
  /** Nodes that hold tokens, by scope, in the order in which they began to wait. */
  readonly waiting: ReadonlyMap<ScopePath, readonly number[]>;
  /** Front of the queue of firings, at least the first `queue.length` of them. */
  readonly queue: readonly QueuedFiring[] | null;
  readonly drivers: ReadonlyMap<DriverKey, DriverState>;
  /** Lengths of append-only lists, by owner and name: `<scope>:<node>:<name>`. */
  readonly lists: ReadonlyMap<string, ListState>;
  readonly complete: boolean;
}

export interface ListState {
  /** Entries appended. */
  readonly entries: number;
  /** Items in all entries together. */
  readonly items: number;
}

export const listKey = (scope: ScopePath, node: number, name: string): string => `${scope}:${node}:${name}`;

/** Something that a step needs and that was not loaded. The store loads it and calls the step again. */
export type Need =
  | { readonly kind: 'scope'; readonly scope: ScopePath }
  | { readonly kind: 'fired'; readonly scope: ScopePath; readonly node: number }
  | { readonly kind: 'tokens'; readonly scope: ScopePath; readonly node: number }
  /** However many there are; asked for when a few do not decide the step. */
  | { readonly kind: 'allTokens'; readonly scope: ScopePath; readonly node: number }
  | { readonly kind: 'arrival'; readonly scope: ScopePath; readonly node: number; readonly edge: number }
  | { readonly kind: 'waiting'; readonly scope: ScopePath }
  | { readonly kind: 'queue' }
  | { readonly kind: 'driver'; readonly scope: ScopePath; readonly node: number; readonly seq: number }
  | { readonly kind: 'list'; readonly scope: ScopePath; readonly node: number; readonly name: string };

/** An execution of which nothing exists yet. */
export function emptySnapshot(): Snapshot {
  return {
    execution: NEW_EXECUTION,
    scopes: new Map(),
    fired: new Map(),
    tokens: new Map(),
    arrivals: new Map(),
    waiting: new Map(),
    queue: [],
    drivers: new Map(),
    lists: new Map(),
    complete: true,
  };
}
