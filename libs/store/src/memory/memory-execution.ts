import {
  activationId,
  emptySnapshot,
  isTerminal,
  listKey,
  type ActivationKey,
  type Cell,
  type EndCause,
  type ErrorShape,
  type ExecutionStatus,
  type Firing,
  type Instant,
  type Item,
  type Json,
  type NewActivation,
  type OutputRef,
  type PortOutput,
  type Resume,
  type Snapshot,
  type Suspension,
  type Transition,
} from '@app/engine';
import { laterDeadline, openWork, type OpenWork } from '../deadline.ts';
import { Conflict, NotFound } from '../errors.ts';
import type { AttemptRecord, ClaimedActivation, CommitOptions, ExecutionRecord, ListEntry, NewExecution, OpenActivationRecord, ReadyActivation, RunRecord, SignalResult } from '../records.ts';

/** One open activation and its place in the queue. */
export class MemoryActivation {
  status: 'ready' | 'running' | 'waiting' = 'ready';
  attempt = 0;
  losses = 0;
  wakes = 0;
  wasSuspended = false;
  resume: Resume | null = null;
  suspension: Suspension | null = null;
  childrenLeft = 0;
  leaseId: string | null = null;
  leaseUntil: Instant = 0;
  worker: string | null = null;
  startedAt: Instant | null = null;
  announcement = 0;
  announcedAt: Instant | null = null;
  readyAt: Instant;

  constructor(
    readonly id: string,
    readonly key: ActivationKey,
    readonly firing: Firing,
    activation: NewActivation,
    private readonly place: { readonly queue: string; readonly priority: number },
  ) {
    this.readyAt = activation.readyAt;
  }

  /** Whoever gets the answer tells the fleet. */
  announce(now: Instant): ReadyActivation {
    this.announcement += 1;
    this.announcedAt = now;
    const { queue, priority } = this.place;
    return { id: this.id, announcement: this.announcement, queue, priority };
  }

  /** What it means for the time that the execution may take. */
  get work(): OpenWork {
    const { status, startedAt, readyAt, suspension, resume } = this;
    return openWork({ status, startedAt, readyAt, wait: suspension, resumed: resume !== null });
  }

  toRecord(): OpenActivationRecord {
    const { id, status, readyAt, startedAt, worker, suspension, announcement, attempt, losses, wakes, wasSuspended, resume } = this;
    return { ...this.firing, ...this.key, id, status, readyAt, startedAt, worker, leaseUntil: status === 'running' ? this.leaseUntil : null, suspension, announcement, attempt, losses, wakes, wasSuspended, resume };
  }
}

/** The rows of one execution. */
export class MemoryExecution {
  snapshot: Snapshot = emptySnapshot();
  readonly activations = new Map<string, MemoryActivation>();
  readonly runs = new Map<string, RunRecord>();
  readonly cells = new Map<string, Cell>();
  readonly record: ExecutionRecord;
  /** The first caller of its tree of calls; null for that one itself. */
  readonly root: string | null;
  /** The earliest moment at which it may be overdue; see ../deadline.ts. */
  deadline: Instant | null;
  private readonly timeoutMs: number | null;
  private readonly items = new Map<string, readonly Item[]>();
  private readonly lists = new Map<string, ListEntry[]>();
  private readonly signals = new Map<string, { payload: Json; consumed: boolean }>();
  private readonly attempts = new Map<string, AttemptRecord[]>();
  private startedAt: Instant | null = null;
  private end: { status: ExecutionStatus; cause: EndCause | null; error: ErrorShape | null; at: Instant } | null = null;
  private customData: { [key: string]: string } = {};

  constructor(id: string, request: NewExecution, now: Instant) {
    this.root = request.root ?? null;
    this.timeoutMs = request.timeoutMs;
    this.deadline = request.timeoutMs === null ? null : now + request.timeoutMs;
    this.record = {
      id,
      workflowId: request.workflowId,
      versionId: request.versionId,
      mode: request.mode,
      status: 'queued',
      createdAt: now,
      startedAt: null,
      finishedAt: null,
      cause: null,
      error: null,
      retryOf: request.retryOf ?? null,
      retrySuccessId: null,
      waitTill: null,
      parent: request.parent ?? null,
      project: request.project ?? 'default',
      queue: request.queue ?? 'default',
      priority: request.priority ?? 3,
      idempotencyKey: request.idempotencyKey ?? null,
      traceparent: request.traceparent ?? null,
      options: request.options,
      customData: {},
      warnings: [],
      commits: 0,
    };
  }

  get status(): ExecutionStatus {
    return this.end?.status ?? this.snapshot.execution.status;
  }

  toRecord(): ExecutionRecord {
    const due = [...this.activations.values()].flatMap((activation) => (activation.status === 'waiting' && activation.suspension?.until != null ? [activation.suspension.until] : []));
    const open = [...this.activations.values()].some((activation) => activation.status !== 'waiting');
    const status = this.end?.status ?? (this.startedAt === null ? 'queued' : this.snapshot.execution.status === 'waiting' && open ? 'running' : this.snapshot.execution.status);
    return {
      ...this.record,
      status,
      startedAt: this.startedAt,
      finishedAt: this.end?.at ?? null,
      cause: this.end?.cause ?? null,
      error: this.end?.error ?? null,
      waitTill: status === 'waiting' && due.length > 0 ? Math.min(...due) : null,
      customData: this.customData,
      warnings: this.snapshot.execution.warnings,
      commits: this.snapshot.execution.commits,
    };
  }

  lease(activation: MemoryActivation, worker: string, leaseId: string, now: Instant, leaseMs: number, countAttempt = true): ClaimedActivation {
    if (countAttempt) activation.attempt += 1;
    activation.status = 'running';
    activation.leaseId = leaseId;
    activation.leaseUntil = now + leaseMs;
    activation.worker = worker;
    activation.startedAt = now;
    this.startedAt ??= now;
    const { id, workflowId, versionId, mode, options, traceparent, queue, priority } = this.record;
    const { attempt, losses, wakes, wasSuspended, resume, readyAt, announcement } = activation;
    return {
      ...structuredClone({ ...activation.firing, ...activation.key }),
      id: activation.id,
      executionId: id,
      workflowId,
      versionId,
      mode,
      options,
      traceparent,
      queue,
      priority,
      attempt,
      losses,
      wakes,
      wasSuspended,
      resume,
      leaseId,
      leaseUntil: activation.leaseUntil,
      claimedAt: now,
      readyAt,
      executionDeadline: this.timeoutMs !== null && this.snapshot.execution.commits === 1 ? now + this.timeoutMs : this.deadline,
      announcement,
      snapshot: null,
    };
  }

  /** One that was lost too often before was held by a sweeper that was to give it up: that is no try, and no loss. */
  loseLease(activation: MemoryActivation, now: Instant, maxLosses: number): void {
    if (activation.losses < maxLosses) {
      this.noteAttempt(activation, 'lease-lost', { message: 'The worker was lost before it finished.', code: 'lease_lost' }, now);
      activation.losses += 1;
    }
    activation.status = 'ready';
    activation.leaseId = null;
    activation.readyAt = now;
  }

  private noteAttempt(activation: MemoryActivation, outcome: AttemptRecord['outcome'], error: ErrorShape | null, now: Instant): void {
    const list = this.attempts.get(activation.id) ?? [];
    this.attempts.set(activation.id, list);
    list.push({ ...activation.key, attempt: activation.attempt, readyAt: activation.readyAt, startedAt: activation.startedAt ?? now, endedAt: now, worker: activation.worker ?? '', outcome, error });
  }

  /** Writes a transition; answers what is to be announced. */
  apply(transition: Transition, after: Snapshot, now: Instant, settled: MemoryActivation | null, options: CommitOptions | null): ReadyActivation[] {
    const ready: ReadyActivation[] = [];
    for (const run of transition.runs) {
      const id = activationId(this.record.id, run);
      if (this.runs.has(id)) throw new Conflict(`Run ${id} is committed already.`);
      for (const output of run.outputs) if (output.items) this.writeItems({ ...run, port: output.port, count: output.count }, output.items);
      this.runs.set(id, {
        ...run,
        executionId: this.record.id,
        outputs: run.outputs.map(({ items: _, ...rest }) => rest),
        startedAt: options?.startedAt ?? now,
        finishedAt: options?.finishedAt ?? now,
        worker: options?.worker ?? '',
        logs: options?.logs ?? [],
        attempts: this.attempts.get(id) ?? [],
      });
    }
    if (transition.closed) this.activations.delete(activationId(this.record.id, transition.closed));
    const { reopened } = transition;
    if (reopened && settled) {
      settled.leaseId = null;
      if (reopened.kind === 'retry') {
        this.noteAttempt(settled, reopened.outputs.length > 0 ? 'soft-failure' : 'failed', reopened.error, now);
        settled.status = 'ready';
        settled.readyAt = reopened.readyAt;
        settled.announcedAt = null;
        settled.wasSuspended = false;
        if (settled.resume?.cause === 'children') settled.resume = null;
      } else {
        settled.status = 'waiting';
        settled.wasSuspended = true;
        settled.suspension = reopened.suspension;
        settled.childrenLeft = reopened.suspension.children;
        settled.resume = null;
      }
    }
    for (const cell of transition.cells) this.cells.set(`${cell.scope}:${cell.node}:${cell.name}`, cell);
    for (const entry of transition.appends) {
      const key = listKey(entry.scope, entry.node, entry.name);
      const list = this.lists.get(key) ?? [];
      this.lists.set(key, [...list, { entry: entry.entry, firstItem: entry.firstItem, ref: entry.ref, from: entry.from }].sort((a, b) => a.entry - b.entry));
    }
    this.snapshot = after;
    for (const created of transition.created) {
      const { readyAt: _, seq, ...firing } = created;
      const key = { scope: created.scope, node: created.node, seq };
      const activation = new MemoryActivation(activationId(this.record.id, key), key, firing, created, this.record);
      this.activations.set(activation.id, activation);
      ready.push(activation.announce(now));
    }
    for (const { resume, ...key } of transition.woken) {
      const activation = this.activations.get(activationId(this.record.id, key));
      if (activation?.status === 'waiting') ready.push(this.wake(activation, resume, now));
    }
    if (reopened?.kind === 'suspended' && settled) ready.push(...this.matchSignal(settled, now));
    if (options?.customData) this.customData = { ...this.customData, ...options.customData };
    if (transition.end) this.finish(transition.end.status, transition.end.cause, transition.end.error, now);
    return ready;
  }

  wake(activation: MemoryActivation, resume: Resume, now: Instant): ReadyActivation {
    activation.status = 'ready';
    activation.wakes += 1;
    activation.resume = resume;
    activation.readyAt = now;
    return activation.announce(now);
  }

  /** Ends a wait that may have kept the whole execution. */
  wakeFromOutside(activation: MemoryActivation, resume: Resume, now: Instant): ReadyActivation {
    const ready = this.wake(activation, resume, now);
    if (this.timeoutMs !== null && this.snapshot.execution.status === 'waiting' && activation.work.wokenAt !== null) this.deadline = now + this.timeoutMs;
    return ready;
  }

  /** Whether its time is over; if it is not, the deadline moves to when it may be. */
  isOverdue(now: Instant): boolean {
    if (this.timeoutMs === null || this.deadline === null || this.deadline > now) return false;
    const activations = [...this.activations.values()].map((activation) => activation.work);
    const beganAt = this.startedAt ?? [...this.activations.values()].map(({ startedAt }) => startedAt).find((at) => at !== null) ?? null;
    const { commits, status } = this.snapshot.execution;
    const later = laterDeadline({ beganAt, hasMoved: commits > 1, isWaiting: status === 'waiting', activations }, this.timeoutMs, now);
    if (later !== null) this.deadline = later;
    return later === null;
  }

  childEnded(activation: MemoryActivation, now: Instant): ReadyActivation[] {
    activation.childrenLeft -= 1;
    if (activation.status !== 'waiting' || activation.childrenLeft > 0) return [];
    return [this.wake(activation, { cause: 'children', payload: null }, now)];
  }

  signal(key: string, payload: Json, now: Instant): SignalResult {
    const before = this.signals.get(key);
    const waiting = [...this.activations.values()].find((activation) => activation.status === 'waiting' && activation.suspension?.key === key && activation.suspension.wait !== 'children');
    if (!waiting) {
      if (before) return { kind: 'duplicate', ready: [] };
      this.signals.set(key, { payload, consumed: false });
      return { kind: 'stored', ready: [] };
    }
    this.signals.set(key, { payload, consumed: true });
    return { kind: 'delivered', ready: [this.wakeFromOutside(waiting, { cause: 'signal', payload }, now)] };
  }

  private matchSignal(activation: MemoryActivation, now: Instant): ReadyActivation[] {
    // Who waits for children is woken by their end alone: a signal would start it a second time while they run.
    const { suspension } = activation;
    const early = !suspension || suspension.wait === 'children' ? undefined : this.signals.get(suspension.key);
    if (!early || early.consumed) return [];
    early.consumed = true;
    return [this.wake(activation, { cause: 'signal', payload: early.payload }, now)];
  }

  cancel(cause: EndCause, error: ErrorShape | null, now: Instant): void {
    for (const activation of this.activations.values()) {
      if (activation.status !== 'running') continue;
      const { attempt, worker, startedAt, firing, key } = activation;
      this.runs.set(activation.id, {
        ...key,
        executionId: this.record.id,
        status: 'canceled',
        attempt,
        commit: this.snapshot.execution.commits,
        cause: firing.cause,
        inputs: firing.inputs,
        outputs: [],
        error,
        startedAt: startedAt ?? now,
        finishedAt: now,
        worker: worker ?? '',
        logs: [],
      });
    }
    this.finish('canceled', cause, error, now);
  }

  private finish(status: ExecutionStatus, cause: EndCause | null, error: ErrorShape | null, now: Instant): void {
    this.end = { status, cause, error, at: now };
    this.startedAt ??= now;
    for (const [id, activation] of this.activations) if (activation.status === 'running' || status === 'succeeded') this.activations.delete(id);
  }

  writeItems(ref: OutputRef, items: readonly Item[]): void {
    this.items.set(refKey(ref), structuredClone(items));
  }

  /** It wrote these items itself. */
  holds(ref: OutputRef): boolean {
    return this.items.has(refKey(ref));
  }

  /** The items of an output of this execution; `read` resolves references to other outputs. */
  readItems(ref: OutputRef, read: (ref: OutputRef) => Item[]): Item[] {
    const own = this.items.get(refKey(ref));
    if (own) return structuredClone([...own]);
    const run = this.runs.get(activationId(this.record.id, ref));
    const output = run?.outputs.find((candidate) => candidate.port === ref.port);
    if (!output) throw new NotFound('output', `${activationId(this.record.id, ref)}.${ref.port}`);
    if (output.ref) return read(output.ref);
    if (output.list !== undefined) return this.readList(ref, output, read);
    return [];
  }

  private readList({ scope, node }: OutputRef, output: Omit<PortOutput, 'items'>, read: (ref: OutputRef) => Item[]): Item[] {
    const entries = this.list(scope, node, output.list!).filter((entry) => (output.entries === undefined ? entry.firstItem < output.count : entry.entry < output.entries));
    return entries.flatMap((entry) => (entry.ref ? read({ ...entry.ref, restamp: undefined }).map((item, index) => this.restampEntry(item, index, entry)) : []));
  }

  /** Items of a list continue their walk in the run that they came from. */
  private restampEntry(item: Item, index: number, { from }: ListEntry): Item {
    if (!from) return item;
    return { ...item, pairedItem: { item: index, sourceOverwrite: { previousNode: `#${from.node}`, previousNodeOutput: from.port, previousNodeRun: from.seq } } };
  }

  list(scope: string, node: number, name: string): ListEntry[] {
    return this.lists.get(listKey(scope, node, name)) ?? [];
  }

  takeOver(continues: NonNullable<NewExecution['continues']>): void {
    this.snapshot = continues.snapshot;
    for (const cell of continues.cells) this.cells.set(`${cell.scope}:${cell.node}:${cell.name}`, cell);
    for (const run of continues.runs) {
      const outputs = run.outputs.map((output) => ({ ...output, list: undefined, ref: output.ref ?? { execution: continues.executionId, scope: run.scope, node: run.node, seq: run.seq, port: output.port, count: output.count } }));
      this.runs.set(activationId(this.record.id, run), { ...run, executionId: this.record.id, outputs });
    }
  }

  get isOpen(): boolean {
    return !isTerminal(this.status);
  }
}

const refKey = ({ scope, node, seq, port }: OutputRef): string => `${scope}:${node}:${seq}:${port}`;
