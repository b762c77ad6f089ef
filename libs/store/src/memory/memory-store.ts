import {
  ROOT,
  START_PORT,
  activationId,
  applyTransition,
  emptySnapshot,
  isTerminal,
  sameActivation,
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
import { NO_SUSPECTS, suspectAt } from '../suspects.ts';
import { Conflict, NotFound } from '../errors.ts';
import type {
  ClaimedActivation,
  CommitOptions,
  CommitResult,
  CreatedExecution,
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
import { MemoryExecution, type MemoryActivation } from './memory-execution.ts';

/**
 * The store of tests and of a demonstration without a database. One process, one thread: a transaction is a block of
 * code without an await. Behaves like the Postgres adapter in everything that testing/store.contract.ts asks.
 */
export class MemoryStore extends Store {
  readonly apiKeys = new MemoryApiKeys(() => this.time());
  private readonly workflows = new Map<string, WorkflowRecord>();
  private readonly versions = new Map<string, VersionRecord>();
  private readonly executions = new Map<string, MemoryExecution>();
  private readonly idempotency = new Map<string, string>();
  private readonly statics = new Map<string, Map<string, JsonObject>>();
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
    const id = workflow.id ?? `wf${this.nextId()}`;
    const before = this.workflows.get(id);
    const versionId = `v${this.nextId()}`;
    const now = this.time();
    const { dialect, program, name, description } = workflow.version;
    this.versions.set(versionId, { id: versionId, workflowId: id, dialect, document: workflow.document, program, name: name ?? null, description: description ?? null, createdAt: now });
    const record: WorkflowRecord = {
      id,
      name: workflow.name,
      project: workflow.project ?? before?.project ?? 'default',
      document: workflow.document,
      versionId,
      versionCounter: (before?.versionCounter ?? 0) + 1,
      activeVersionId: before?.activeVersionId ?? null,
      archived: before?.archived ?? false,
      staticData: null,
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
    };
    this.workflows.set(id, record);
    return record;
  }

  async publishVersion(workflowId: string, versionId: string | null): Promise<WorkflowRecord> {
    if (versionId !== null && this.versions.get(versionId)?.workflowId !== workflowId) throw new NotFound('version', versionId);
    return this.changeWorkflow(workflowId, { activeVersionId: versionId });
  }

  async setArchived(workflowId: string, archived: boolean): Promise<WorkflowRecord> {
    return this.changeWorkflow(workflowId, { archived });
  }

  private changeWorkflow(id: string, change: Partial<WorkflowRecord>): WorkflowRecord {
    const before = this.workflows.get(id);
    if (!before) throw new NotFound('workflow', id);
    const after = { ...before, ...change, updatedAt: this.time() };
    this.workflows.set(id, after);
    return this.withStaticData(after);
  }

  private withStaticData(record: WorkflowRecord): WorkflowRecord {
    const statics = this.statics.get(record.id);
    return { ...record, staticData: statics && statics.size > 0 ? Object.fromEntries(statics) : null };
  }

  async findWorkflow(id: string): Promise<WorkflowRecord | undefined> {
    const record = this.workflows.get(id);
    return record && this.withStaticData(record);
  }

  async listWorkflows(filter: WorkflowFilter): Promise<Page<WorkflowRecord>> {
    const rows = [...this.workflows.values()]
      .filter((workflow) => filter.active === undefined || (workflow.activeVersionId !== null) === filter.active)
      .filter((workflow) => filter.name === undefined || workflow.name === filter.name)
      .filter((workflow) => filter.project === undefined || workflow.project === filter.project)
      .map((workflow) => this.withStaticData(workflow));
    return pageOf(rows, filter.limit, filter.cursor);
  }

  async deleteWorkflow(id: string): Promise<WorkflowRecord> {
    const record = await this.findWorkflow(id);
    if (!record) throw new NotFound('workflow', id);
    if ([...this.executions.values()].some((execution) => execution.record.workflowId === id && !isTerminal(execution.status))) throw new Conflict(`Workflow ${id} has open executions; cancel them first.`);
    this.workflows.delete(id);
    this.statics.delete(id);
    return record;
  }

  async findVersion(versionId: string): Promise<VersionRecord | undefined> {
    return this.versions.get(versionId);
  }

  async listVersions(workflowId: string, page: { limit: number; cursor?: string }): Promise<Page<Omit<VersionRecord, 'program'>>> {
    const rows = [...this.versions.values()].filter((version) => version.workflowId === workflowId).reverse();
    return pageOf(rows, page.limit, page.cursor);
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
    this.executions.set(id, execution);
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

  private waiting(wanted: (activation: MemoryActivation, execution: MemoryExecution) => boolean): { execution: MemoryExecution; activation: MemoryActivation }[] {
    const now = this.time();
    return [...this.openExecutions()].flatMap((execution) =>
      [...execution.activations.values()].flatMap((activation) => (activation.status === 'ready' && activation.readyAt <= now && wanted(activation, execution) ? [{ execution, activation }] : [])),
    );
  }

  private *openExecutions(): Iterable<MemoryExecution> {
    for (const execution of this.executions.values()) if (!isTerminal(execution.status)) yield execution;
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
    const execution = this.executions.get(claimed.executionId);
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
    const execution = this.executions.get(claimed.executionId)!;
    const now = this.time();
    const result = decide(execution.snapshot, now);
    if (result.kind === 'unchanged') return fenced;
    if (result.kind === 'incomplete') throw new Error('A complete snapshot cannot be incomplete.');
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
    if (options?.staticData) this.mergeStatics(execution.record.workflowId, options.staticData);
    for (const child of options?.children ?? []) {
      const { ready: begun } = this.create(child.execution.parent ? { ...child.execution } : child.execution, child.decide);
      ready.push(...begun);
    }
    if (isTerminal(execution.status)) ready.push(...this.tellParent(execution));
    return ready;
  }

  private tellParent(child: MemoryExecution): ReadyActivation[] {
    const parent = child.record.parent;
    const execution = parent && this.executions.get(parent.executionId);
    if (!execution || isTerminal(execution.status)) return [];
    const activation = execution.activations.get(activationId(parent.executionId, parent.activation));
    return activation ? execution.childEnded(activation, this.time()) : [];
  }

  async cancel(executionId: string, cause: EndCause, error: ErrorShape | null): Promise<boolean> {
    const execution = this.executions.get(executionId);
    if (!execution) throw new NotFound('execution', executionId);
    if (isTerminal(execution.status)) return false;
    execution.cancel(cause, error, this.time());
    this.tellParent(execution);
    return true;
  }

  async signal(executionId: string, key: string, payload: Json): Promise<SignalResult> {
    const execution = this.executions.get(executionId);
    if (!execution) return { kind: 'unknown', ready: [] };
    if (isTerminal(execution.status)) return { kind: 'ended', ready: [] };
    return execution.signal(key, payload, this.time());
  }

  // --- sweeps

  async releaseExpired(limit: number, maxLosses: number, worker: string, leaseMs: number): Promise<Released> {
    const now = this.time();
    const released: { [Kind in keyof Released]: Released[Kind][number][] } = { ready: [], suspects: [], exhausted: [] };
    let count = 0;
    for (const execution of this.openExecutions()) {
      for (const activation of execution.activations.values()) {
        if (count >= limit) return released;
        if (activation.status !== 'running' || activation.leaseUntil > now) continue;
        count += 1;
        execution.loseLease(activation, now, maxLosses);
        if (activation.losses >= maxLosses) released.exhausted.push(execution.lease(activation, worker, this.nextId(), now, leaseMs, false));
        else released[activation.losses >= suspectAt(maxLosses) ? 'suspects' : 'ready'].push(activation.announce(now));
      }
    }
    return released;
  }

  async fireTimers(limit: number): Promise<ReadyActivation[]> {
    const now = this.time();
    const ready: ReadyActivation[] = [];
    for (const execution of this.openExecutions()) {
      for (const activation of execution.activations.values()) {
        if (ready.length >= limit) return ready;
        if (activation.status !== 'waiting' || (activation.suspension?.until ?? Infinity) > now) continue;
        ready.push(execution.wake(activation, { cause: 'time', payload: null }, now));
      }
    }
    return ready;
  }

  async announceReady(limit: number, olderThanMs: number, suspects = NO_SUSPECTS): Promise<ReadyActivation[]> {
    const now = this.time();
    const ready: ReadyActivation[] = [];
    for (const execution of this.openExecutions()) {
      for (const activation of execution.activations.values()) {
        if (ready.length >= limit) return ready;
        if (activation.status !== 'ready' || activation.readyAt > now || activation.losses >= suspects) continue;
        if (activation.announcedAt !== null && activation.announcedAt > now - olderThanMs) continue;
        ready.push(activation.announce(now));
      }
    }
    return ready;
  }

  async expireDeadlines(limit: number): Promise<string[]> {
    const now = this.time();
    const due = [...this.openExecutions()].filter((execution) => execution.isOverdue(now)).slice(0, limit);
    for (const execution of due) {
      execution.cancel('timeout', { message: 'The execution ran longer than its time-out allows.', code: 'timeout' }, now);
      this.tellParent(execution);
    }
    return due.map((execution) => execution.record.id);
  }

  // --- payloads and history

  private execution(id: string): MemoryExecution {
    const execution = this.executions.get(id);
    if (!execution) throw new NotFound('execution', id);
    return execution;
  }

  async loadItems(executionId: string, refs: readonly OutputRef[]): Promise<Item[][]> {
    return refs.map((ref) => this.readItems(executionId, ref));
  }

  private readItems(executionId: string, ref: OutputRef): Item[] {
    const execution = this.execution(ref.execution ?? executionId);
    const { retryOf } = execution.record;
    // A retry refers to what the execution it goes on from began with.
    if (ref.port === START_PORT && retryOf !== null && !execution.holds(ref)) return this.readItems(retryOf, { ...ref, execution: retryOf });
    const items = execution.readItems(ref, (other) => this.readItems(ref.execution ?? executionId, other));
    return ref.restamp === undefined ? items : items.map((item, index) => ({ ...item, pairedItem: ref.restamp ? { item: index, input: ref.restamp } : { item: index } }));
  }

  async loadSlice(executionId: string, ref: OutputRef, from: number, to: number): Promise<Item[]> {
    return this.readItems(executionId, ref).slice(from, to);
  }

  async loadRuns(executionId: string, keys: readonly ActivationKey[]): Promise<RunRecord[]> {
    const execution = this.execution(executionId);
    return keys.flatMap((key) => execution.runs.get(activationId(executionId, key)) ?? []);
  }

  async loadRunsOfNodes(executionId: string, scope: string, nodes: readonly number[]): Promise<RunRecord[]> {
    return [...this.execution(executionId).runs.values()].filter((run) => run.scope === scope && nodes.includes(run.node)).sort((a, b) => a.node - b.node || a.seq - b.seq);
  }

  async loadCells(executionId: string, scope: string, nodes: readonly number[]): Promise<Cell[]> {
    return [...this.execution(executionId).cells.values()].filter((cell) => cell.scope === scope && nodes.includes(cell.node));
  }

  async loadList(executionId: string, scope: string, node: number, name: string): Promise<ListEntry[]> {
    return this.execution(executionId).list(scope, node, name);
  }

  async staticData(workflowId: string): Promise<StaticData> {
    return Object.fromEntries(this.statics.get(workflowId) ?? []);
  }

  async mergeStaticData(workflowId: string, changes: readonly StaticDataChange[]): Promise<void> {
    this.mergeStatics(workflowId, changes);
  }

  private mergeStatics(workflowId: string, changes: readonly StaticDataChange[]): void {
    const owners = this.statics.get(workflowId) ?? new Map<string, JsonObject>();
    this.statics.set(workflowId, owners);
    for (const { owner, set, removed } of changes) {
      const merged = { ...owners.get(owner), ...set };
      for (const key of removed) delete merged[key];
      owners.set(owner, merged);
    }
  }

  // --- reads

  async findExecution(id: string): Promise<ExecutionRecord | undefined> {
    return this.executions.get(id)?.toRecord();
  }

  async listExecutions(filter: ExecutionFilter): Promise<Page<ExecutionRecord>> {
    const rows = [...this.executions.values()]
      .map((execution) => execution.toRecord())
      .reverse()
      .filter((record) => !filter.statuses || filter.statuses.includes(record.status))
      .filter((record) => filter.workflowId === undefined || record.workflowId === filter.workflowId)
      .filter((record) => filter.project === undefined || record.project === filter.project)
      .filter((record) => filter.startedAfter === undefined || (record.startedAt ?? 0) > filter.startedAfter)
      .filter((record) => filter.startedBefore === undefined || (record.startedAt ?? Infinity) < filter.startedBefore);
    return pageOf(rows, filter.limit, filter.cursor);
  }

  async listRuns(executionId: string, after: number, limit: number): Promise<RunRecord[]> {
    return [...this.execution(executionId).runs.values()].filter((run) => run.commit > after).sort((a, b) => a.commit - b.commit || a.node - b.node).slice(0, limit);
  }

  async listOpenActivations(executionId: string): Promise<OpenActivationRecord[]> {
    return [...this.execution(executionId).activations.values()].map((activation) => activation.toRecord());
  }

  async readSnapshot(executionId: string): Promise<Snapshot | undefined> {
    return this.executions.get(executionId)?.snapshot;
  }

  async listChildren(executionId: string, activation: ActivationKey): Promise<ExecutionRecord[]> {
    return [...this.executions.values()]
      .map((execution) => execution.toRecord())
      .filter(({ parent }) => parent?.executionId === executionId && sameActivation(parent.activation, activation))
      .sort((a, b) => a.parent!.index - b.parent!.index);
  }

  async deleteExecution(id: string): Promise<ExecutionRecord> {
    const execution = this.execution(id);
    if (!isTerminal(execution.status)) throw new Conflict(`Execution ${id} has not ended; cancel it first.`);
    this.executions.delete(id);
    return execution.toRecord();
  }

  async now(): Promise<Instant> {
    return this.time();
  }

  async health(): Promise<StoreHealth> {
    const ready = [...this.openExecutions()].flatMap((execution) => [...execution.activations.values()].filter((activation) => activation.status === 'ready'));
    const oldest = Math.min(...ready.map((activation) => activation.readyAt));
    return { ok: true, detail: 'in memory', schemaCurrent: true, readyDepth: ready.length, oldestReadyMs: ready.length === 0 ? 0 : Math.max(0, this.time() - oldest) };
  }

  async close(): Promise<void> {}
}

function pageOf<T extends { readonly id: string }>(rows: readonly T[], limit: number, cursor: string | undefined): Page<T> {
  const from = cursor === undefined ? 0 : rows.findIndex((row) => row.id === cursor) + 1;
  const page = rows.slice(from, from + limit);
  return { rows: page, nextCursor: from + limit < rows.length ? (page.at(-1)?.id ?? null) : null };
}

const isSuspect = (activation: MemoryActivation, suspects: number): boolean => activation.losses > 0 && activation.losses >= suspects;
