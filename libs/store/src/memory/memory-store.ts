import {
  ROOT,
  START_PORT,
  applyTransition,
  emptySnapshot,
  isTerminal,
  type ActivationKey,
  type Cell,
  type EndCause,
  type ErrorShape,
  type Instant,
  type Item,
  type Json,
  type JsonObject,
  type OutputRef,
  type Snapshot,
  type Transition,
} from '@app/engine';
import { NO_SUSPECTS } from '../suspects.ts';
import { Conflict, Unwritable } from '../errors.ts';
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
} from '../records.ts';
import { Store, type Decide } from '../store.ts';
import { MemoryApiKeys } from './memory-api-keys.ts';
import { MemoryDocuments } from './memory-documents.ts';
import { MemoryExecution, type MemoryActivation } from './memory-execution.ts';
import { MemoryExecutions, type OpenPlace } from './memory-executions.ts';
import { MemoryHistory } from './memory-history.ts';
import { MemorySweeps } from './memory-sweeps.ts';

/**
 * The store of tests and of a demonstration without a database. One process, one thread: a transaction is a block of
 * code without an await. Behaves like the Postgres adapter in everything that testing/store.contract.ts asks.
 */
export class MemoryStore extends Store {
  readonly apiKeys = new MemoryApiKeys(() => this.time());
  private readonly documents = new MemoryDocuments(() => this.nextId(), () => this.time());
  private readonly executions = new MemoryExecutions();
  private readonly history = new MemoryHistory(this.executions);
  private readonly sweeps = new MemorySweeps(this.executions, () => this.nextId(), () => this.time());
  private readonly idempotency = new Map<string, string>();
  private counter = 0;
  /** Moves the store's clock; timers and leases follow it. */
  private shiftMs = 0;

  constructor(private readonly clock: () => Instant) {
    super();
  }

  shiftClock(ms: number): void {
    this.shiftMs += ms;
  }

  private time(): Instant {
    return this.clock() + this.shiftMs;
  }

  private nextId(): string {
    this.counter += 1;
    return String(this.counter);
  }

  // --- workflows

  async saveWorkflow(workflow: { id?: string; name: string; document: JsonObject; version: NewVersion; project?: string }): Promise<WorkflowRecord> {
    return this.documents.save(workflow);
  }

  async publishVersion(workflowId: string, versionId: string | null): Promise<WorkflowRecord> {
    return this.documents.publish(workflowId, versionId);
  }

  async setArchived(workflowId: string, archived: boolean): Promise<WorkflowRecord> {
    return this.documents.setArchived(workflowId, archived);
  }

  async findWorkflow(id: string): Promise<WorkflowRecord | undefined> {
    return this.documents.find(id);
  }

  async listWorkflows(filter: WorkflowFilter): Promise<Page<WorkflowRecord>> {
    return this.documents.list(filter);
  }

  async deleteWorkflow(id: string): Promise<WorkflowRecord> {
    const record = this.documents.require(id);
    if ([...this.executions.open()].some((execution) => execution.record.workflowId === id)) throw new Conflict(`Workflow ${id} has open executions; cancel them first.`);
    this.documents.remove(id);
    return record;
  }

  async findVersion(versionId: string): Promise<VersionRecord | undefined> {
    return this.documents.findVersion(versionId);
  }

  async listVersions(workflowId: string, page: { limit: number; cursor?: string }): Promise<Page<Omit<VersionRecord, 'program'>>> {
    return this.documents.listVersions(workflowId, page);
  }

  // --- the life of an execution

  async createExecution(request: NewExecution, decide: Decide): Promise<CreatedExecution> {
    return this.create(request, decide);
  }

  private create(request: NewExecution, decide: Decide): CreatedExecution {
    const slot = request.idempotencyKey === undefined ? null : `${request.workflowId} ${request.idempotencyKey}`;
    const existing = slot === null ? undefined : this.idempotency.get(slot);
    if (existing !== undefined) return { id: existing, existing: true, ready: [] };
    const id = this.nextId();
    const now = this.time();
    const execution = new MemoryExecution(id, request, now);
    for (const { node, items } of request.startItems) execution.writeItems({ scope: ROOT, node, seq: 0, port: START_PORT, count: items.length }, items);
    if (request.continues) execution.takeOver(request.continues);
    const result = decide(request.continues?.snapshot ?? emptySnapshot(), now);
    if (result.kind !== 'transition') throw new Error(`An execution cannot begin with "${result.kind}".`);
    this.executions.add(execution);
    if (slot !== null) this.idempotency.set(slot, id);
    const ready = this.apply(execution, result, now, null, null);
    return { id, existing: false, ready };
  }

  async claim(ids: readonly string[], worker: string, leaseMs: number, suspects = NO_SUSPECTS): Promise<ClaimedActivation[]> {
    const wanted = new Set(ids);
    return this.take((activation) => wanted.has(activation.id) && activation.losses < suspects, ids.length, worker, leaseMs);
  }

  async claimReady(queues: readonly string[], limit: number, worker: string, leaseMs: number, suspects = NO_SUSPECTS): Promise<ClaimedActivation[]> {
    return this.take((activation, execution) => queues.includes(execution.record.queue) && activation.losses < suspects, limit, worker, leaseMs);
  }

  async hasSuspect(queues: readonly string[], suspects: number): Promise<boolean> {
    return this.waiting((activation, execution) => isSuspect(activation, suspects) && queues.includes(execution.record.queue)).length > 0;
  }

  async claimSuspect(queues: readonly string[], suspects: number, worker: string, leaseMs: number): Promise<ClaimedActivation | null> {
    return this.take((activation, execution) => isSuspect(activation, suspects) && queues.includes(execution.record.queue), 1, worker, leaseMs)[0] ?? null;
  }

  private take(wanted: (activation: MemoryActivation, execution: MemoryExecution) => boolean, limit: number, worker: string, leaseMs: number): ClaimedActivation[] {
    const now = this.time();
    const ready = this.waiting(wanted);
    ready.sort((a, b) => a.execution.record.priority - b.execution.record.priority || a.activation.readyAt - b.activation.readyAt);
    return ready.slice(0, limit).map(({ execution, activation }) => execution.lease(activation, worker, this.nextId(), now, leaseMs));
  }

  private waiting(wanted: (activation: MemoryActivation, execution: MemoryExecution) => boolean): OpenPlace[] {
    const now = this.time();
    return [...this.executions.activations()].filter(({ activation, execution }) => activation.status === 'ready' && activation.readyAt <= now && wanted(activation, execution));
  }

  async extendLeases(activations: readonly ClaimedActivation[], leaseMs: number): Promise<LeaseReport> {
    const now = this.time();
    const lost = activations.filter((claimed) => {
      const activation = this.held(claimed);
      if (!activation) return true;
      activation.leaseUntil = now + leaseMs;
      return false;
    });
    return { lost: lost.map((claimed) => claimed.id) };
  }

  private held(claimed: ClaimedActivation): MemoryActivation | undefined {
    const execution = this.executions.find(claimed.executionId);
    if (!execution || isTerminal(execution.status)) return undefined;
    const activation = execution.activations.get(claimed.id);
    return activation?.status === 'running' && activation.leaseId === claimed.leaseId ? activation : undefined;
  }

  async release(activations: readonly ClaimedActivation[]): Promise<ReadyActivation[]> {
    return activations.flatMap((claimed) => {
      const activation = this.held(claimed);
      if (!activation) return [];
      activation.status = 'ready';
      activation.attempt -= 1;
      activation.leaseId = null;
      return [activation.announce(this.time())];
    });
  }

  async commit(claimed: ClaimedActivation, decide: Decide, options: CommitOptions): Promise<CommitResult> {
    const fenced: CommitResult = { kind: 'fenced', ready: [], next: null, ended: null };
    const activation = this.held(claimed);
    if (!activation) return fenced;
    const execution = this.executions.find(claimed.executionId)!;
    const now = this.time();
    const result = decide(execution.snapshot, now);
    if (result.kind === 'unchanged') return fenced;
    if (result.kind === 'incomplete') throw new Error('A complete snapshot cannot be incomplete.');
    assertWritable(result);
    const ready = this.apply(execution, result, now, activation, options);
    let next: ClaimedActivation | null = null;
    if (options.continueHere && ready.length === 1 && result.created.length === 1) {
      const created = execution.activations.get(ready[0]!.id);
      if (created && created.status === 'ready' && created.readyAt <= now) {
        next = execution.lease(created, options.worker, this.nextId(), now, options.leaseMs);
        ready.length = 0;
      }
    }
    return { kind: 'committed', ready, next, ended: isTerminal(execution.status) ? execution.status : null };
  }

  private apply(execution: MemoryExecution, transition: Transition, now: Instant, settled: MemoryActivation | null, options: CommitOptions | null): ReadyActivation[] {
    const ready = execution.apply(transition, applyTransition(execution.snapshot, transition), now, settled, options);
    if (options?.staticData) this.documents.mergeStaticData(execution.record.workflowId, options.staticData);
    for (const child of options?.children ?? []) {
      const { ready: begun } = this.create(child.execution.parent ? { ...child.execution } : child.execution, child.decide);
      ready.push(...begun);
    }
    if (isTerminal(execution.status)) ready.push(...this.executions.tellParent(execution, now));
    return ready;
  }

  async cancel(executionIds: readonly string[], cause: EndCause, error: ErrorShape | null): Promise<Ended> {
    return this.sweeps.end(executionIds.flatMap((id) => this.executions.find(id) ?? []), cause, error);
  }

  async signal(executionId: string, key: string, payload: Json): Promise<SignalResult> {
    const execution = this.executions.find(executionId);
    if (!execution) return { kind: 'unknown', ready: [] };
    if (isTerminal(execution.status)) return { kind: 'ended', ready: [] };
    return execution.signal(key, payload, this.time());
  }

  // --- sweeps

  async releaseExpired(limit: number, maxLosses: number, worker: string, leaseMs: number): Promise<Released> {
    return this.sweeps.releaseExpired(limit, maxLosses, worker, leaseMs);
  }

  async fireTimers(limit: number): Promise<ReadyActivation[]> {
    return this.sweeps.fireTimers(limit);
  }

  async announceReady(limit: number, olderThanMs: number, suspects = NO_SUSPECTS, isQueueBusy = false): Promise<ReadyActivation[]> {
    return this.sweeps.announceReady(limit, olderThanMs, suspects, isQueueBusy);
  }

  async expireDeadlines(limit: number): Promise<Ended> {
    return this.sweeps.expireDeadlines(limit);
  }

  async cancelOrphans(limit: number): Promise<Ended> {
    return this.sweeps.cancelOrphans(limit);
  }

  // --- payloads and history

  async loadItems(executionId: string, refs: readonly OutputRef[]): Promise<Item[][]> {
    return refs.map((ref) => this.history.items(executionId, ref));
  }

  async loadSlice(executionId: string, ref: OutputRef, from: number, to: number): Promise<Item[]> {
    return this.history.items(executionId, ref).slice(from, to);
  }

  async loadRuns(executionId: string, keys: readonly ActivationKey[]): Promise<RunRecord[]> {
    return this.history.runs(executionId, keys);
  }

  async loadRunsOfNodes(executionId: string, scope: string, nodes: readonly number[]): Promise<RunRecord[]> {
    return this.history.runsOfNodes(executionId, scope, nodes);
  }

  async loadCells(executionId: string, scope: string, nodes: readonly number[]): Promise<Cell[]> {
    return this.history.cells(executionId, scope, nodes);
  }

  async loadList(executionId: string, scope: string, node: number, name: string): Promise<ListEntry[]> {
    return this.executions.require(executionId).list(scope, node, name);
  }

  async staticData(workflowId: string): Promise<StaticData> {
    return this.documents.staticData(workflowId);
  }

  async mergeStaticData(workflowId: string, changes: readonly StaticDataChange[]): Promise<void> {
    this.documents.mergeStaticData(workflowId, changes);
  }

  // --- reads

  async findExecution(id: string): Promise<ExecutionRecord | undefined> {
    return this.executions.find(id)?.toRecord();
  }

  async listExecutions(filter: ExecutionFilter): Promise<Page<ExecutionRecord>> {
    return this.history.list(filter);
  }

  async listRuns(executionId: string, after: number, limit: number): Promise<RunRecord[]> {
    return this.history.runsAfter(executionId, after, limit);
  }

  async listOpenActivations(executionId: string): Promise<OpenActivationRecord[]> {
    return [...this.executions.require(executionId).activations.values()].map((activation) => activation.toRecord());
  }

  async readSnapshot(executionId: string): Promise<Snapshot | undefined> {
    return this.executions.find(executionId)?.snapshot;
  }

  async listChildren(executionId: string, activation: ActivationKey): Promise<ExecutionRecord[]> {
    return this.history.children(executionId, activation);
  }

  async countFamily(rootId: string, atMost: number): Promise<number> {
    return Math.min(atMost, [...this.executions.values()].filter(({ root }) => root === rootId).length);
  }

  async deleteExecution(id: string): Promise<ExecutionRecord> {
    const execution = this.executions.require(id);
    if (!isTerminal(execution.status)) throw new Conflict(`Execution ${id} has not ended; cancel it first.`);
    const retry = [...this.executions.values()].find(({ record }) => record.retryOf === id);
    if (retry) throw new Conflict(`Execution ${id} holds items that its retry ${retry.record.id} refers to; delete that one first.`);
    this.executions.remove(id);
    return execution.toRecord();
  }

  async now(): Promise<Instant> {
    return this.time();
  }

  async health(): Promise<StoreHealth> {
    const ready = [...this.executions.activations()].map(({ activation }) => activation).filter(({ status }) => status === 'ready');
    const oldest = Math.min(...ready.map((activation) => activation.readyAt));
    return { ok: true, detail: 'in memory', schemaCurrent: true, readyDepth: ready.length, oldestReadyMs: ready.length === 0 ? 0 : Math.max(0, this.time() - oldest) };
  }

  async close(): Promise<void> {}
}

const isSuspect = (activation: MemoryActivation, suspects: number): boolean => activation.losses > 0 && activation.losses >= suspects;

/** A store that keeps what it is given must refuse what Postgres could not take. */
function assertWritable(transition: Transition): void {
  try {
    JSON.stringify(transition);
  } catch (error) {
    throw new Unwritable(error);
  }
}
