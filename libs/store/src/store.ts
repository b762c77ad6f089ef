import type { ActivationKey, Cell, EndCause, ErrorShape, Instant, Item, Json, JsonObject, OutputRef, Snapshot, StepResult } from '@app/engine';
import type { ApiKeyStore } from './api-keys.ts';
import type {
  ClaimedActivation,
  CommitOptions,
  CommitResult,
  CreatedExecution,
  Ended,
  ExecutionFilter,
  ExecutionRecord,
  LeaseReport,
  ListEntry,
  NewExecution,
  NewVersion,
  OpenActivationRecord,
  Page,
  ReadyActivation,
  Released,
  RunRecord,
  SignalResult,
  StaticData,
  StaticDataChange,
  StoreHealth,
  VersionRecord,
  WorkflowFilter,
  WorkflowRecord,
} from './records.ts';

/** Decides one step. The store may call it several times for one event: with a fresher snapshot, or with more rows. */
export type Decide = (snapshot: Snapshot, now: Instant) => StepResult;

/**
 * The checkpoint store: the truth about every execution. One adapter on Postgres, one in memory; both pass
 * testing/store.contract.ts. `now` in every promise below is the store's clock.
 *
 * Errors: `StoreUnavailable` (try again; nothing is known to have changed), `NotFound`, `Conflict`.
 */
export abstract class Store {
  // --- workflows

  /** Creates a workflow or saves it again. Each save makes an immutable version; the newest one is the draft. */
  abstract saveWorkflow(workflow: { readonly id?: string; readonly name: string; readonly document: JsonObject; readonly version: NewVersion; readonly project?: string }): Promise<WorkflowRecord>;
  /** The version that production starts use; null takes the workflow out of production. */
  abstract publishVersion(workflowId: string, versionId: string | null): Promise<WorkflowRecord>;
  abstract setArchived(workflowId: string, archived: boolean): Promise<WorkflowRecord>;
  abstract findWorkflow(id: string): Promise<WorkflowRecord | undefined>;
  abstract listWorkflows(filter: WorkflowFilter): Promise<Page<WorkflowRecord>>;
  /** Conflict while executions of it are open. Its versions stay as long as executions refer to them. */
  abstract deleteWorkflow(id: string): Promise<WorkflowRecord>;
  /** A version with its document and its compiled program. */
  abstract findVersion(versionId: string): Promise<VersionRecord | undefined>;
  abstract listVersions(workflowId: string, page: { readonly limit: number; readonly cursor?: string }): Promise<Page<Omit<VersionRecord, 'program'>>>;

  // --- the life of an execution

  /**
   * Stores an execution with its first activations in one transaction; durable when the promise resolves. The same
   * idempotency key (per workflow) gives the execution that has it already, with `existing: true`.
   */
  abstract createExecution(execution: NewExecution, decide: Decide): Promise<CreatedExecution>;
  /**
   * Takes the named activations as far as they are ready: attempt + 1, lease set. The others are left out silently, and
   * so are those that were lost `suspectAt` times or more.
   */
  abstract claim(ids: readonly string[], worker: string, leaseMs: number, suspectAt?: number): Promise<ClaimedActivation[]>;
  /** Takes up to `limit` activations that are ready, by priority and age: how workers go on without a queue. */
  abstract claimReady(queues: readonly string[], limit: number, worker: string, leaseMs: number, suspectAt?: number): Promise<ClaimedActivation[]>;
  /** Whether an activation is ready that was lost `suspectAt` times or more, and so is for `claimSuspect` alone. */
  abstract hasSuspect(queues: readonly string[], suspectAt: number): Promise<boolean>;
  /** Takes such a one, to be run with nothing beside it. */
  abstract claimSuspect(queues: readonly string[], suspectAt: number, worker: string, leaseMs: number): Promise<ClaimedActivation | null>;
  /** One statement for all running activations of a worker. */
  abstract extendLeases(activations: readonly ClaimedActivation[], leaseMs: number): Promise<LeaseReport>;
  /** Gives activations back unfinished; no attempt is consumed. */
  abstract release(activations: readonly ClaimedActivation[]): Promise<ReadyActivation[]>;
  /**
   * Writes what `decide` says, all or nothing, if the lease is still held; otherwise nothing changes and the answer
   * is `fenced`. May share its transaction with commits of other executions.
   */
  abstract commit(activation: ClaimedActivation, decide: Decide, options: CommitOptions): Promise<CommitResult>;
  /**
   * Ends executions from outside, with whatever they called and wait for; all given ones in one transaction. Those that
   * have ended already, or never were, are left out.
   */
  abstract cancel(executionIds: readonly string[], cause: EndCause, error: ErrorShape | null): Promise<Ended>;
  /** Stores a signal; it wakes the activation that waits for it, now or when one begins to wait. */
  abstract signal(executionId: string, key: string, payload: Json): Promise<SignalResult>;

  // --- bounded sweeps, safe on every worker

  /** Puts activations whose lease has run out back to ready, and hands over those that were lost too often. */
  abstract releaseExpired(limit: number, maxLosses: number, worker: string, leaseMs: number): Promise<Released>;
  /** Makes suspended activations ready whose time has come. */
  abstract fireTimers(limit: number): Promise<ReadyActivation[]>;
  /**
   * Ready activations whose time has come without anybody being told, or that were handed over for announcement so long
   * ago that the message may be lost; their announcement number goes up. While messages wait in the queue, each further
   * announcement waits twice as long as the one before.
   */
  abstract announceReady(limit: number, olderThanMs: number, suspectAt?: number, isQueueBusy?: boolean): Promise<ReadyActivation[]>;
  /** Ends executions that have run longer than they may; see deadline.ts for how the time is counted. */
  abstract expireDeadlines(limit: number): Promise<Ended>;
  /**
   * Cancels executions whose caller waited for them and has ended, whatever ended it. What runs on its own, because its
   * caller did not wait, is no orphan.
   */
  abstract cancelOrphans(limit: number): Promise<Ended>;

  // --- payloads and history

  /**
   * Items of outputs, in the order of the references; a reference that cannot be read throws NotFound. Items of a list
   * payload whose entry has `from` get pairedItem {item: position within that entry, sourceOverwrite: the run it came
   * from}, where previousNode is written `#<node index>`: the store knows no names. `restamp` is applied.
   */
  abstract loadItems(executionId: string, refs: readonly OutputRef[]): Promise<Item[][]>;
  /** Items `from` (inclusive) to `to` (exclusive) of one output, without reading the others where the adapter can. */
  abstract loadSlice(executionId: string, ref: OutputRef, from: number, to: number): Promise<Item[]>;
  abstract loadRuns(executionId: string, keys: readonly ActivationKey[]): Promise<RunRecord[]>;
  /** All runs of some nodes in one scope, by node and seq. */
  abstract loadRunsOfNodes(executionId: string, scope: string, nodes: readonly number[]): Promise<RunRecord[]>;
  abstract loadCells(executionId: string, scope: string, nodes: readonly number[]): Promise<Cell[]>;
  abstract loadList(executionId: string, scope: string, node: number, name: string): Promise<ListEntry[]>;
  abstract staticData(workflowId: string): Promise<StaticData>;
  /** Merges per top-level key. */
  abstract mergeStaticData(workflowId: string, changes: readonly StaticDataChange[]): Promise<void>;

  // --- reads for the API; never on the way of a step

  abstract findExecution(id: string): Promise<ExecutionRecord | undefined>;
  abstract listExecutions(filter: ExecutionFilter): Promise<Page<ExecutionRecord>>;
  /** The whole history of an execution in commit order, `after` a commit number (-1: all), at most `limit` rows. */
  abstract listRuns(executionId: string, after: number, limit: number): Promise<RunRecord[]>;
  abstract listOpenActivations(executionId: string): Promise<OpenActivationRecord[]>;
  /** The scheduler's rows of an execution, complete; for an ended one what it left behind. */
  abstract readSnapshot(executionId: string): Promise<Snapshot | undefined>;
  /** The executions that an activation called, in the order of its calls. */
  abstract listChildren(executionId: string, activation: ActivationKey): Promise<ExecutionRecord[]>;
  /** How many executions belong to the tree of calls under this one, counted up to `atMost`. */
  abstract countFamily(rootId: string, atMost: number): Promise<number>;
  /** Removes an ended execution with everything it owns; Conflict while it is open, or while a retry of it refers to it. */
  abstract deleteExecution(id: string): Promise<ExecutionRecord>;

  // --- around them

  /** Who may use the API. */
  abstract readonly apiKeys: ApiKeyStore;
  abstract now(): Promise<Instant>;
  abstract health(): Promise<StoreHealth>;
  abstract close(): Promise<void>;
}
