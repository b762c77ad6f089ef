import type { ActivationKey, Cell, EndCause, ErrorShape, ExecutionStatus, Instant, Item, Json, JsonObject, OpenActivation, OutputRef, PortOutput, Program, SettledRun, Snapshot, StepResult, Suspension } from '@app/engine';

export type ExecutionMode = 'manual' | 'trigger' | 'webhook' | 'error' | 'integrated' | 'retry' | 'cli' | 'internal' | 'evaluation' | 'chat';

export interface NewVersion {
  readonly dialect: string;
  readonly program: Program;
  readonly name?: string;
  readonly description?: string;
}

export interface VersionRecord {
  readonly id: string;
  readonly workflowId: string;
  readonly dialect: string;
  readonly document: JsonObject;
  readonly program: Program;
  readonly name: string | null;
  readonly description: string | null;
  readonly createdAt: Instant;
}

export interface WorkflowRecord {
  readonly id: string;
  readonly name: string;
  readonly project: string;
  /** The draft: document of the newest version. */
  readonly document: JsonObject;
  readonly versionId: string;
  /** Counts saves, from 1. */
  readonly versionCounter: number;
  /** What production starts use; null: not active. */
  readonly activeVersionId: string | null;
  readonly archived: boolean;
  readonly staticData: JsonObject | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface WorkflowFilter {
  readonly limit: number;
  readonly cursor?: string;
  readonly active?: boolean;
  readonly name?: string;
  readonly project?: string;
}

export interface Page<T> {
  readonly rows: readonly T[];
  /** Opaque; null on the last page. */
  readonly nextCursor: string | null;
}

export interface NewExecution {
  readonly workflowId: string;
  readonly versionId: string;
  readonly mode: ExecutionMode;
  /** Items the start nodes get, by node; written once as outputs of port START_PORT. */
  readonly startItems: readonly { readonly node: number; readonly items: readonly Item[] }[];
  readonly idempotencyKey?: string;
  readonly project?: string;
  readonly queue?: string;
  /** 1 (first) to 5. */
  readonly priority?: number;
  readonly concurrencyKey?: string;
  /** W3C traceparent of the span that the execution's root span hangs under. */
  readonly traceparent?: string;
  /** How long it may run, null: without a limit; see deadline.ts. */
  readonly timeoutMs: number | null;
  readonly retryOf?: string;
  /** The suspended activation that this execution answers. */
  readonly parent?: { readonly executionId: string; readonly activation: ActivationKey; readonly index: number } | null;
  /** The first caller of the tree of calls that it belongs to, whether anybody waits for it or not. */
  readonly root?: string;
  /** What the run is limited to (destination) and other facts for the nodes; immutable. */
  readonly options: JsonObject;
  /** History taken over from another execution (retry): its runs are copied by reference. */
  readonly continues?: { readonly executionId: string; readonly snapshot: Snapshot; readonly runs: readonly RunRecord[]; readonly cells: readonly Cell[] };
}

export interface CreatedExecution {
  readonly id: string;
  readonly existing: boolean;
  readonly ready: readonly ReadyActivation[];
}

/** What a message is made of: all that ever travels through a queue. */
export interface ReadyActivation {
  readonly id: string;
  readonly announcement: number;
  readonly queue: string;
  readonly priority: number;
}

/** An activation together with the right to finish it. */
export interface ClaimedActivation extends OpenActivation {
  readonly id: string;
  readonly executionId: string;
  readonly workflowId: string;
  readonly versionId: string;
  readonly mode: ExecutionMode;
  readonly options: JsonObject;
  readonly traceparent: string | null;
  readonly queue: string;
  readonly priority: number;
  readonly leaseId: string;
  readonly leaseUntil: Instant;
  /** The store's time at the claim. */
  readonly claimedAt: Instant;
  readonly readyAt: Instant;
  /** End of the execution's running time, if it has one. */
  readonly executionDeadline: Instant | null;
  /** How often it was announced before it was taken, the first time included. */
  readonly announcement: number;
  /** The execution's state, when the claim found it small enough to bring along; a hint for the adapter alone. */
  readonly snapshot: Snapshot | null;
}

export interface CommitOptions {
  /** Claim one successor for this worker in the same transaction, when exactly one is ready. */
  readonly continueHere: boolean;
  readonly worker: string;
  readonly leaseMs: number;
  /** When the node began and ended, by the store's clock as the worker knows it. */
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
  readonly staticData?: readonly StaticDataChange[];
  readonly customData?: { readonly [key: string]: string };
  /** Child executions to be created with this commit; the activation is suspended on them, or they run on their own. */
  readonly children?: readonly ChildExecution[];
  readonly logs?: readonly string[];
}

export interface ChildExecution {
  readonly execution: NewExecution;
  readonly decide: (snapshot: Snapshot, now: Instant) => StepResult;
}

export interface CommitResult {
  /** `fenced`: the lease was lost or the execution has ended; nothing was written. */
  readonly kind: 'committed' | 'fenced';
  /** To be announced. */
  readonly ready: readonly ReadyActivation[];
  /** The successor that this worker goes on with. */
  readonly next: ClaimedActivation | null;
  /** Set when this step ended the execution. */
  readonly ended: ExecutionStatus | null;
}

/** What became of executions that were ended from outside. */
export interface Ended {
  /** Those that were open until then, with what they had called and waited for, as far as it has been canceled already. */
  readonly executionIds: readonly string[];
  /** Callers that waited for them and go on, to be announced. */
  readonly ready: readonly ReadyActivation[];
}

export interface LeaseReport {
  /** Ids of activations that are no longer ours: abort them. */
  readonly lost: readonly string[];
}

/** What became of activations whose lease had run out. */
export interface Released {
  /** Ready again, to be announced. */
  readonly ready: readonly ReadyActivation[];
  /** Ready again for `claimSuspect` alone. */
  readonly suspects: readonly ReadyActivation[];
  /** Lost too often: handed over to be given up. */
  readonly exhausted: readonly ClaimedActivation[];
}

export type SignalResult = { readonly kind: 'delivered' | 'stored' | 'duplicate' | 'ended' | 'unknown'; readonly ready: readonly ReadyActivation[] };

export interface StaticDataChange {
  /** `global` or `node:<name>`. */
  readonly owner: string;
  readonly set: JsonObject;
  readonly removed: readonly string[];
}

export type StaticData = { readonly [owner: string]: JsonObject };

export interface RunRecord extends ActivationKey {
  readonly executionId: string;
  readonly status: SettledRun['status'];
  readonly attempt: number;
  readonly commit: number;
  readonly cause: string;
  readonly inputs: SettledRun['inputs'];
  /** Without items; `loadItems` reads them by reference. */
  readonly outputs: readonly Omit<PortOutput, 'items'>[];
  readonly error: ErrorShape | null;
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
  readonly worker: string;
  readonly logs: readonly string[];
  /** Tries before the last one. */
  readonly attempts?: readonly AttemptRecord[];
}

export interface AttemptRecord extends ActivationKey {
  readonly attempt: number;
  readonly readyAt: Instant;
  readonly startedAt: Instant;
  readonly endedAt: Instant;
  readonly worker: string;
  readonly outcome: 'failed' | 'lease-lost' | 'soft-failure' | 'released';
  readonly error: ErrorShape | null;
}

export interface OpenActivationRecord extends OpenActivation {
  readonly id: string;
  readonly status: 'ready' | 'running' | 'waiting';
  readonly readyAt: Instant;
  readonly startedAt: Instant | null;
  readonly worker: string | null;
  readonly leaseUntil: Instant | null;
  readonly suspension: Suspension | null;
  readonly announcement: number;
}

export interface ListEntry {
  readonly entry: number;
  readonly firstItem: number;
  readonly ref: OutputRef | null;
  readonly from: (ActivationKey & { readonly port: number }) | null;
}

export interface ExecutionRecord {
  readonly id: string;
  readonly workflowId: string;
  readonly versionId: string;
  readonly mode: ExecutionMode;
  readonly status: ExecutionStatus;
  readonly createdAt: Instant;
  readonly startedAt: Instant | null;
  readonly finishedAt: Instant | null;
  readonly cause: EndCause | null;
  readonly error: ErrorShape | null;
  readonly retryOf: string | null;
  readonly retrySuccessId: string | null;
  /** Earliest time at which something wakes by itself, while waiting. */
  readonly waitTill: Instant | null;
  readonly parent: { readonly executionId: string; readonly activation: ActivationKey; readonly index: number } | null;
  readonly project: string;
  readonly queue: string;
  readonly priority: number;
  readonly idempotencyKey: string | null;
  readonly traceparent: string | null;
  readonly options: JsonObject;
  readonly customData: { readonly [key: string]: string };
  readonly warnings: readonly string[];
  readonly commits: number;
}

export interface ExecutionFilter {
  readonly limit: number;
  readonly cursor?: string;
  readonly statuses?: readonly ExecutionStatus[];
  readonly workflowId?: string;
  readonly project?: string;
  readonly startedAfter?: Instant;
  readonly startedBefore?: Instant;
}

export interface StoreHealth {
  readonly ok: boolean;
  readonly detail: string;
  readonly schemaCurrent: boolean;
  readonly readyDepth: number;
  readonly oldestReadyMs: number;
}

export type { Json };
