import { activationId, type StepResult } from '@app/engine';
import type { CommitResult, ReadyActivation } from '../records.ts';
import { addressOf, FENCED, type CommitEntry } from './commit-entry.ts';
import { BEGIN, COMMIT, ROLLBACK, type Connection, type Row } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { continuation, continued, leaseFor } from './continuation.ts';
import { decideCreation, writeCreation, type Creation } from './creation.ts';
import type { Footprints } from './footprints.ts';
import type { IdSource } from './id-source.ts';
import { idOf } from './activation-row.ts';
import { endRows, LockedExecution } from './locked-execution.ts';
import type { PayloadCache } from './payload-cache.ts';
import { byAddress } from './statements/activation-keys.ts';
import { EVERY, loadSome, loadWhole, type RowNeed } from './statements/load-rows.ts';
import { lockHeads } from './statements/lock-heads.ts';
import { lockLeases } from './statements/lock-leases.ts';
import { noteRetrySuccess } from './statements/note-retry-success.ts';
import { writeCustomData } from './statements/write-custom-data.ts';
import { mergeStaticData } from './static-data.ts';
import { StepWrites, type Write } from './step-writes.ts';
import type { StoreClock } from './store-clock.ts';
import type { WorkerNumbers } from './worker-numbers.ts';

/**
 * Round trips after which a step gets everything there is: one that skips thousands of nodes would ask for each of them.
 * No step needs as many otherwise, and what it needed will be loaded at once the next time.
 */
const PATIENCE = 24;

/** What became of an entry. `again`: it needs rows that this transaction had changed already; the next one reads them. */
export type SlowAnswer = { readonly result: CommitResult } | { readonly error: unknown } | { readonly again: true };

export interface SlowParts {
  readonly pool: ConnectionPool;
  readonly clock: StoreClock;
  readonly workers: WorkerNumbers;
  readonly cache: PayloadCache;
  readonly footprints: Footprints;
  readonly ids: IdSource;
  /** Executions up to this size are read whole. */
  readonly wholeCommits: number;
}

interface Settling {
  readonly entry: CommitEntry;
  readonly index: number;
  readonly lease: Row;
}

/**
 * Commits that must read: locks heads and leases, loads what the steps need, decides, writes. Two round trips when the
 * executions are small or their needs are known. Several commits of one execution are decided one after the other.
 */
export class SlowCommit {
  constructor(private readonly parts: SlowParts) {}

  /** Calls `planned` with the answers just before the commit is sent: should its outcome stay unknown, they hold if it happened. */
  async commit(entries: readonly CommitEntry[], planned: (answers: readonly SlowAnswer[]) => void): Promise<SlowAnswer[]> {
    return this.parts.pool.use(async (connection) => {
      try {
        return await this.transact(connection, entries, planned);
      } catch (error) {
        if (!connection.broken) await connection.send([ROLLBACK]).catch(() => {});
        throw error;
      }
    });
  }

  private async transact(connection: Connection, entries: readonly CommitEntry[], planned: (answers: readonly SlowAnswer[]) => void): Promise<SlowAnswer[]> {
    const answers: SlowAnswer[] = entries.map(() => ({ result: FENCED }));
    const { executions, settling } = await this.lock(connection, entries);
    await this.prefetch(connection, executions, settling, answers);
    const step = new Steps(this.parts, answers);
    for (const [executionId, list] of settling) step.decide(executions.get(executionId)!, list);
    const statements = await step.statements(connection, executions);
    planned(answers);
    const heard = await connection.send([...statements.map(({ query }) => query), COMMIT]);
    statements.forEach((statement, index) => statement.heard?.(heard[index]!));
    step.writes.remember(this.parts.cache);
    return answers;
  }

  private async lock(connection: Connection, entries: readonly CommitEntry[]): Promise<{ executions: Map<string, LockedExecution>; settling: Map<string, Settling[]> }> {
    const ids = [...new Set(entries.map(({ activation }) => activation.executionId))];
    const known = entries.flatMap((entry) => this.recalled(entry));
    const addresses = entries.map(({ activation }) => addressOf(activation)).sort(byAddress);
    const [, heads, leases, whole, some] = await connection.send([BEGIN, lockHeads(ids), lockLeases(addresses), loadWhole(ids, this.parts.wholeCommits), ...(known.length > 0 ? [loadSome(known)] : [])]);
    const rows = groupRows(whole!.rows);
    const executions = new Map(heads!.rows.map((head) => [head['execution_id'] as string, new LockedExecution(head, rows.get(head['execution_id'] as string) ?? [], this.parts.wholeCommits)]));
    if (heads!.rows[0]) this.parts.clock.observe(Number(heads!.rows[0]['at']));
    addNeeds(executions, known, some?.rows ?? []);
    const held = new Map(leases!.rows.map((row) => [idOf(row), row]));
    const settling = new Map<string, Settling[]>();
    entries.forEach((entry, index) => {
      const { executionId, id } = entry.activation;
      const lease = held.get(id);
      if (!lease || !executions.has(executionId)) return;
      settling.set(executionId, [...(settling.get(executionId) ?? []), { entry, index, lease }]);
      held.delete(id);
    });
    return { executions, settling };
  }

  private recalled({ activation }: CommitEntry): RowNeed[] {
    if (activation.hold && activation.hold.size < this.parts.wholeCommits) return [];
    return this.parts.footprints.recall(activation.versionId, activation).map((need) => ({ executionId: activation.executionId, need }));
  }

  /** Tries every step on the state before all of them, until none misses a row. */
  private async prefetch(connection: Connection, executions: ReadonlyMap<string, LockedExecution>, settling: ReadonlyMap<string, Settling[]>, answers: SlowAnswer[]): Promise<void> {
    let open = [...settling.values()].flat().filter(({ entry }) => !executions.get(entry.activation.executionId)!.snapshot.complete);
    for (let round = 0; open.length > 0; round++) {
      if (round > PATIENCE + 1) throw new Error('A step keeps asking for rows it was given.');
      const missing = new Map<string, RowNeed>();
      open = open.filter(({ entry, index }) => {
        const { executionId, versionId } = entry.activation;
        const { snapshot, at } = executions.get(executionId)!;
        const result = attempt(() => entry.decide(snapshot, at), answers, index);
        if (result?.kind !== 'incomplete') return false;
        this.parts.footprints.learn(versionId, entry.activation, result.needs);
        for (const need of result.needs) missing.set(`${executionId} ${JSON.stringify(need)}`, { executionId, need });
        return true;
      });
      if (missing.size === 0) return;
      if (round >= PATIENCE) {
        await this.completeAll(connection, [...new Set(open.map(({ entry }) => executions.get(entry.activation.executionId)!))]);
        continue;
      }
      const needs = [...missing.values()];
      const [answer] = await connection.send([loadSome(needs)]);
      addNeeds(executions, needs, answer!.rows);
    }
  }

  private async completeAll(connection: Connection, executions: readonly LockedExecution[]): Promise<void> {
    const [answer] = await connection.send([loadWhole(executions.map(({ executionId }) => executionId), EVERY)]);
    const rows = groupRows(answer!.rows);
    for (const execution of executions) execution.complete(rows.get(execution.executionId) ?? []);
  }
}

function addNeeds(executions: ReadonlyMap<string, LockedExecution>, needs: readonly RowNeed[], rows: readonly Row[]): void {
  for (const [executionId, list] of Map.groupBy(needs, (need) => need.executionId)) {
    executions.get(executionId)?.add(list.map(({ need }) => need), rows.filter((row) => row['execution_id'] === executionId));
  }
}

function groupRows(rows: readonly Row[]): Map<string, Row[]> {
  return Map.groupBy(rows, (row) => row['execution_id'] as string);
}

/** A step that throws is a bug in its program or in us: it fails alone. */
function attempt(decide: () => StepResult, answers: SlowAnswer[], index: number): StepResult | null {
  try {
    return decide();
  } catch (error) {
    answers[index] = { error };
    return null;
  }
}

/** The decisions of one transaction and what they write. */
class Steps {
  readonly writes = new StepWrites();
  private readonly applied: Settling[] = [];
  private readonly children: Creation[] = [];
  private readonly readyOf = new Map<string, ReadyActivation[]>();
  private readonly startedAt = new Map<string, number>();

  constructor(
    private readonly parts: SlowParts,
    private readonly answers: SlowAnswer[],
  ) {}

  decide(execution: LockedExecution, list: readonly Settling[]): void {
    for (const settling of list) {
      const { entry, index } = settling;
      if ('error' in this.answers[index]!) continue;
      const result = attempt(() => entry.decide(execution.snapshot, execution.at), this.answers, index);
      if (result?.kind === 'incomplete') this.answers[index] = { again: true };
      if (result?.kind !== 'transition') continue;
      const children = this.begun(entry, execution.at, index);
      if (!children) continue;
      this.children.push(...children);
      this.apply(execution, settling, result, children);
    }
  }

  private begun({ options }: CommitEntry, at: number, index: number): Creation[] | null {
    try {
      return (options.children ?? []).map((child) => decideCreation(this.parts.ids.next(), child.execution, child.decide, at));
    } catch (error) {
      this.answers[index] = { error };
      return null;
    }
  }

  private apply(execution: LockedExecution, settling: Settling, transition: Extract<StepResult, { kind: 'transition' }>, children: readonly Creation[]): void {
    const { entry, index, lease } = settling;
    const { activation, options } = entry;
    const { executionId, at } = execution;
    const ready: ReadyActivation[] = [];
    execution.apply(transition);
    const next = continuation(transition, at, options);
    this.writes.step({
      executionId,
      transition,
      after: execution.snapshot,
      now: at,
      place: execution.place,
      settled: { scope: activation.scope, node: activation.node, seq: activation.seq, row: addressOf(activation), attempt: Number(lease['attempt']), losses: Number(lease['losses']), readyAt: Number(lease['ready_at']) },
      options,
      workerNumber: this.parts.workers.of(options.worker) ?? null,
      lease: next && leaseFor(activation, options),
      ready,
    });
    for (const child of children) {
      writeCreation(this.writes, child);
      if (child.request.parent && child.transition.end) this.writes.childEnded({ ...child.request.parent.activation, executionId: child.request.parent.executionId }, ready);
    }
    this.readyOf.set(activationId(executionId, activation), ready);
    if (transition.end) this.readyOf.set(executionId, ready);
    if (!this.startedAt.has(executionId)) this.startedAt.set(executionId, Math.round(options.startedAt));
    this.applied.push(settling);
    const result: CommitResult = {
      kind: 'committed',
      ready,
      next: next && continued(activation, next, execution.snapshot, at, at + Math.ceil(options.leaseMs), { ...execution.version, rowNode: next.node, rowSeq: next.seq }),
      ended: transition.end?.status ?? null,
    };
    this.answers[index] = { result };
    for (const child of children) child.ready.forEach((begun) => ready.push(begun));
  }

  /** Everything to be sent before the commit. */
  async statements(connection: Connection, executions: ReadonlyMap<string, LockedExecution>): Promise<Write[]> {
    const ended = [...executions.values()].filter(({ end }) => end !== null);
    const retried = ended.flatMap(({ executionId, end, head }) => (end!.status === 'succeeded' && head['retry_of'] !== null ? [{ executionId, retryOf: head['retry_of'] as string }] : []));
    if (ended.length > 0) {
      for (const row of await endRows(connection, ended, ({ executionId, head }) => (head['started_at'] === null ? (this.startedAt.get(executionId) ?? null) : Number(head['started_at'])))) this.writes.end(row, executions.get(row.executionId)!.hasSuspended);
      for (const { parent, executionId } of ended) if (parent) this.writes.childEnded(parent, this.readyOf.get(executionId)!);
    }
    const changes = this.applied.flatMap(({ entry }) => (entry.options.staticData?.length ? [{ workflowId: entry.activation.workflowId, changes: entry.options.staticData }] : []));
    const statics: Write[] = changes.length > 0 ? [{ query: await mergeStaticData(connection, changes) }] : [];
    const custom = this.customData(executions);
    return [
      ...this.writes.writes(),
      ...(custom.length > 0 ? [{ query: writeCustomData(custom) }] : []),
      ...(retried.length > 0 ? [{ query: noteRetrySuccess(retried) }] : []),
      ...statics,
    ];
  }

  private customData(executions: ReadonlyMap<string, LockedExecution>): { executionId: string; customData: string }[] {
    const merged = new Map<string, { [key: string]: string }>();
    for (const { entry } of this.applied) {
      if (!entry.options.customData) continue;
      const { executionId } = entry.activation;
      const stored = executions.get(executionId)!.head['custom_data'];
      const before = merged.get(executionId) ?? (stored === null ? {} : (JSON.parse(stored as string) as { [key: string]: string }));
      merged.set(executionId, { ...before, ...entry.options.customData });
    }
    return [...merged].map(([executionId, data]) => ({ executionId, customData: JSON.stringify(data) }));
  }
}
