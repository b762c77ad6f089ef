import type { JsonObject } from './json.ts';

/**
 * The compiled form of one workflow version: what the scheduler runs, whatever dialect it came from. Plain data, so
 * that it can be stored; `link` adds the derived lookups. Vocabulary: docs/concepts.md.
 */
export interface Program {
  readonly format: 1;
  readonly name: string;
  readonly nodes: readonly ProgramNode[];
  readonly edges: readonly Edge[];
  readonly policies: ProgramPolicies;
  /** What the dialect wants kept for its own view and nodes (time zone, pinned data, …). Never read by the engine. */
  readonly attributes: JsonObject;
}

export interface ProgramPolicies {
  /** Activations of one execution that may be open at once; the others queue in `order`. null: no limit. */
  readonly maxConcurrency: number | null;
  /** What a queue of successors looks like: newest first (a branch is finished before the next begins), or oldest first. */
  readonly order: 'depthFirst' | 'breadthFirst';
  /** Whether "nothing will come from here" travels as a token (rules D1–D6). */
  readonly dead: 'on' | 'off';
  /** When is a node skipped: all its forward slots are dead, or literally all of them. */
  readonly skipRule: 'forwardSlots' | 'allSlots';
  /** An output with no items: not emitted, emitted, or emitted only to inputs after the first one. */
  readonly emptyOutput: 'notEmitted' | 'emitted' | 'emittedToLaterInputs';
  /** A node that begins to wait has the sources of its other inputs started, if they never ran. */
  readonly startUnrunSources: boolean;
  /** Whether a suspended activation keeps its place in `maxConcurrency` (it then parks everything queued behind it). */
  readonly suspendedHoldsPlace: boolean;
  /** False: a run that returned nothing does not lead to a look at starved nodes. */
  readonly drainAfterVoid: boolean;
  /** Runs and skips one execution may have; a skip costs a tenth. null: no limit. */
  readonly budget: { readonly runs: number; readonly onExhausted: 'stop' | 'fail' } | null;
}

export interface ProgramNode {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  /** Index of the region node whose body this node is in; null at the top. */
  readonly region: number | null;
  readonly kind: 'op' | 'region';
  /** Which executor runs it. */
  readonly type: string;
  readonly version: number;
  readonly parameters: JsonObject;
  /** Exits by index. */
  readonly ports: readonly string[];
  readonly slots: readonly Slot[];
  readonly groups: readonly Group[];
  /** What firing empties: the slots of the group that fired, or all slots of the node. */
  readonly consume: 'groupSlots' | 'allSlots';
  readonly onStarved: StarvedPolicy;
  readonly onError: ErrorPolicy;
  readonly retry: RetryPolicy;
  /** Running time one attempt may take; null: the fleet's default. */
  readonly timeoutMs: number | null;
  /** Executor attributes (execute once, always output, disabled, …): read by the shell around the node, not by the scheduler. */
  readonly attributes: JsonObject;
  readonly regionSpec: RegionSpec | null;
}

export interface Slot {
  /** Index of the data input that tokens of this slot fill. */
  readonly input: number;
  readonly edges: readonly number[];
  readonly buffer: 'latch' | 'fifo';
  /** A latch with several edges: live as soon as one is live, or settled only when every edge has said something. */
  readonly merge: 'anyEdge' | 'allEdges';
}

export interface Group {
  readonly slots: readonly number[];
  /** How many of the slots must hold live tokens for the node to fire; settled with fewer, it is skipped. */
  readonly needLive: number;
}

/** What to do for a node that holds some tokens when its scope has become quiet. */
export type StarvedPolicy =
  | { readonly kind: 'nothing' }
  /** Fire with what is there, if at least `atLeast` slots hold a token and all of `slots` do. `never` only warns. */
  | { readonly kind: 'fireWithMissing'; readonly atLeast: number; readonly slots: readonly number[]; readonly never: boolean; readonly inputs: number }
  | { readonly kind: 'error' };

/** What a final failure of a node means. */
export type ErrorPolicy =
  | { readonly kind: 'failRun' }
  /** All ports dead; the run goes on. */
  | { readonly kind: 'deadAll' }
  /** Take this port only. */
  | { readonly kind: 'port'; readonly port: number }
  /** Take the outputs that the shell computed for the case of an error. */
  | { readonly kind: 'continue' };

export interface RetryPolicy {
  /** Tries in all, at least 1. */
  readonly tries: number;
  readonly delayMs: number;
  /** Each further delay is multiplied by this; 1 for a constant delay. */
  readonly factor: number;
  readonly maxDelayMs: number;
  /** A success that says "failed" in its items counts as a failed try. */
  readonly retrySoftFailures: boolean;
}

export interface Edge {
  readonly index: number;
  readonly from: { readonly node: number; readonly port: number };
  readonly to: { readonly node: number; readonly slot: number };
  readonly kind: 'control' | 'data' | 'resource';
  /** Order among the successors of one run: smaller runs first. Ties: the later edge first. */
  readonly rank: readonly [number, number];
}

export interface RegionSpec {
  readonly driver:
    | { readonly kind: 'forEach' }
    | { readonly kind: 'count' }
    | { readonly kind: 'map'; readonly maxConcurrency: number; readonly batch: number | null }
    | { readonly kind: 'while' }
    | { readonly kind: 'doWhile' }
    | { readonly kind: 'select' }
    | { readonly kind: 'call' };
  /** Body nodes that fire when a scope opens. For `select`: entries by branch. */
  readonly entries: readonly number[];
  readonly branches: readonly (readonly number[])[];
  readonly maxIterations: number | null;
  readonly onIterationError: 'fail' | 'null' | 'drop' | 'collect';
  readonly onEmpty: 'skip' | 'error';
  /** Whether a suspended scope keeps its place in the driver's concurrency. */
  readonly countSuspended: boolean;
  /** Node whose last output is a scope's result; null: the scope's last finished run. */
  readonly resultNode: number | null;
  /** Port taken when the region closes. */
  readonly donePort: number;
}

export const DEFAULT_POLICIES: ProgramPolicies = {
  maxConcurrency: null,
  order: 'depthFirst',
  dead: 'on',
  skipRule: 'forwardSlots',
  emptyOutput: 'emitted',
  startUnrunSources: false,
  suspendedHoldsPlace: false,
  drainAfterVoid: true,
  budget: null,
};

export const NO_RETRY: RetryPolicy = { tries: 1, delayMs: 0, factor: 1, maxDelayMs: 0, retrySoftFailures: false };

/** A region whose iterations run one after the other or side by side unless its driver says otherwise. */
export const REGION_DEFAULTS: Omit<RegionSpec, 'driver' | 'entries'> = {
  branches: [],
  maxIterations: null,
  onIterationError: 'fail',
  onEmpty: 'skip',
  countSuspended: true,
  resultNode: null,
  donePort: 0,
};
