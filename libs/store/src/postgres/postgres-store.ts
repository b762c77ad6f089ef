import { setTimeout as sleep } from 'node:timers/promises';
import { type ActivationKey, type Cell, type EndCause, type ErrorShape, type Instant, type Item, type Json, type JsonObject, type OutputRef, type Snapshot } from '@app/engine';
import type { Telemetry } from '@app/telemetry';
import { Conflict, NotFound, StoreUnavailable } from '../errors.ts';
import { Documents } from '../prisma/documents.ts';
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
import { claimedOf, endsLongWait, idOf, readyOf } from './activation-row.ts';
import { Batcher } from './batcher.ts';
import { addressesOf, claimTogether, newLease, type ClaimEntry } from './claims.ts';
import { addressOf, type CommitEntry } from './commit-entry.ts';
import { Committer } from './committer.ts';
import type { Answer } from './connection.ts';
import { ConnectionPool } from './connection-pool.ts';
import { Creator, type CreateEntry } from './creator.ts';
import { failureOf } from './failure.ts';
import { FastCommit } from './fast-commit.ts';
import { Footprints } from './footprints.ts';
import { History, isId } from './history.ts';
import { IdSource } from './id-source.ts';
import { ItemReader } from './items.ts';
import { Interventions } from './interventions.ts';
import { WEEKS_AHEAD } from './migrate.ts';
import { PostgresApiKeys } from './postgres-api-keys.ts';
import { PayloadCache } from './payload-cache.ts';
import { SlowCommit } from './slow-commit.ts';
import { byAddress } from './statements/activation-keys.ts';
import { claimActivations } from './statements/claim-activations.ts';
import { claimReady } from './statements/claim-ready.ts';
import { claimSuspect, findSuspect } from './statements/claim-suspect.ts';
import { makePartitions, readClock, readyBacklog, shiftClock } from './statements/health.ts';
import { restartDeadlines } from './statements/deadlines.ts';
import { extendLeases, releaseExpired, releaseLeases } from './statements/leases.ts';
import { WHOLE_COMMITS } from './statements/load-rows.ts';
import { countFamily, hasOpenExecutions } from './statements/read-executions.ts';
import type { Query } from './statements/row-set.ts';
import { readStaticData } from './statements/read-version.ts';
import { announceReady, fireTimers } from './statements/wake-activations.ts';
import { StoreClock } from './store-clock.ts';
import { WorkerNumbers } from './worker-numbers.ts';
import { NO_SUSPECTS, suspectAt } from '../suspects.ts';

/** How often a process looks whether partitions are to be made. */
const PARTITIONS_MS = 6 * 3_600_000;

export interface PostgresStoreOptions {
  readonly databaseUrl: string;
  /** Connections in all: a half for what must last, a third for what may be lost with a crash, the rest for documents. At least 6 are opened. */
  readonly poolSize?: number;
  /** Commits that may share a transaction. */
  readonly commitBatchSize?: number;
  /** Transactions of commits under way at a time: while there are fewer, a commit goes at once. */
  readonly commitsInFlight?: number;
  /** How long commits and accepts wait for a database that is gone. */
  readonly patienceMs?: number;
  readonly connectMs?: number;
  /** Characters of recently written or read items that are kept in memory. */
  readonly payloadCacheSize?: number;
  /** How long reads of payloads, runs and versions outlast a database that is gone: for workers, whose nodes read. Default: not at all. */
  readonly readPatienceMs?: number;
  /** Executions up to this many commits are read whole by a commit that must read. */
  readonly wholeCommits?: number;
  readonly telemetry?: Telemetry;
}

/** The store on Postgres. All its writes are in statements/, its transactions in fast-commit, slow-commit, creator and ending. */
export class PostgresStore extends Store {
  readonly apiKeys: PostgresApiKeys;
  private readonly firm: ConnectionPool;
  /** Reads, extensions of leases and announcements: what a crash of the database takes of them expires or is done again. */
  private readonly soft: ConnectionPool;
  private readonly documents: Documents;
  private readonly history: History;
  private readonly items: ItemReader;
  private readonly interventions: Interventions;
  private readonly commits: Batcher<CommitEntry, CommitResult>;
  private readonly accepts: Batcher<CreateEntry, CreatedExecution>;
  private readonly claims: Batcher<ClaimEntry, ClaimedActivation[]>;
  private readonly clock = new StoreClock();
  private readonly telemetry: Telemetry | null;
  private partitionsAt = 0;
  private readonly readPatienceMs: number;

  constructor(options: PostgresStoreOptions) {
    super();
    const { databaseUrl, poolSize = 10, commitBatchSize = 100, commitsInFlight = 2, patienceMs = 20_000, connectMs = 5_000, payloadCacheSize = 16_000_000, wholeCommits = WHOLE_COMMITS } = options;
    this.telemetry = options.telemetry ?? null;
    const ids = new IdSource();
    this.readPatienceMs = options.readPatienceMs ?? 0;
    const cache = new PayloadCache(payloadCacheSize);
    // A batch may run on three connections at a time, plain, rich and slow steps apart.
    this.firm = new ConnectionPool({ databaseUrl, durable: true, connectMs }, Math.max(3, Math.ceil(poolSize / 2)));
    this.soft = new ConnectionPool({ databaseUrl, durable: false, connectMs }, Math.max(2, Math.floor(poolSize / 3)));
    this.documents = new Documents(databaseUrl, Math.max(1, Math.floor(poolSize / 6)), () => ids.nextText(), () => this.now());
    this.apiKeys = new PostgresApiKeys((doing, query) => this.ask(doing, query, this.firm), () => ids.nextText());
    this.history = new History(this.soft);
    this.items = new ItemReader(this.soft, cache);
    const workers = new WorkerNumbers(this.firm);
    this.interventions = new Interventions({ pool: this.firm, workers, history: this.history });
    const parts = { pool: this.firm, clock: this.clock, workers, cache, ids, footprints: new Footprints(), patienceMs, wholeCommits };
    const committer = new Committer({ ...parts, fast: new FastCommit(parts), slow: new SlowCommit(parts) });
    this.commits = new Batcher({ maxInFlight: commitsInFlight, maxSize: commitBatchSize, run: (entries) => this.timed(entries.length, () => committer.run(entries)) });
    this.claims = new Batcher({ maxInFlight: 2, maxSize: commitBatchSize, run: (entries) => claimTogether(entries, async (keys, lease, suspects) => this.claimed(await this.ask('claim activations', claimActivations(keys, lease, suspects), this.firm))) });
    const creator = new Creator(parts);
    this.accepts = new Batcher({ maxInFlight: 1, maxSize: commitBatchSize, run: (entries) => creator.run(entries) });
  }

  private async timed<T>(size: number, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const result = await work();
    this.telemetry?.observe('commit_batch_size', size);
    this.telemetry?.observe('commit_seconds', (performance.now() - began) / 1000);
    return result;
  }

  // --- workflows

  saveWorkflow(workflow: { readonly id?: string; readonly name: string; readonly document: JsonObject; readonly version: NewVersion; readonly project?: string }): Promise<WorkflowRecord> {
    return this.documents.save(workflow);
  }

  publishVersion(workflowId: string, versionId: string | null): Promise<WorkflowRecord> {
    return this.documents.publish(workflowId, versionId);
  }

  setArchived(workflowId: string, archived: boolean): Promise<WorkflowRecord> {
    return this.documents.setArchived(workflowId, archived);
  }

  findWorkflow(id: string): Promise<WorkflowRecord | undefined> {
    return this.documents.find(id);
  }

  listWorkflows(filter: WorkflowFilter): Promise<Page<WorkflowRecord>> {
    return this.documents.list(filter);
  }

  async deleteWorkflow(id: string): Promise<WorkflowRecord> {
    const record = await this.documents.require(id);
    const { rows } = await this.ask('look for open executions', hasOpenExecutions(id));
    if (rows[0]!['open'] === true) throw new Conflict(`Workflow ${id} has open executions; cancel them first.`);
    await this.documents.remove(id);
    return record;
  }

  findVersion(versionId: string): Promise<VersionRecord | undefined> {
    return this.patiently('read a version', () => this.history.version(versionId));
  }

  listVersions(workflowId: string, page: { readonly limit: number; readonly cursor?: string }): Promise<Page<Omit<VersionRecord, 'program'>>> {
    return this.documents.listVersions(workflowId, page);
  }

  // --- the life of an execution

  async createExecution(request: NewExecution, decide: Decide): Promise<CreatedExecution> {
    const lists = request.continues ? await this.history.lists(request.continues.executionId) : [];
    return this.accepts.submit({ request, decide, lists });
  }

  async claim(ids: readonly string[], worker: string, leaseMs: number, suspects = NO_SUSPECTS): Promise<ClaimedActivation[]> {
    const keys = addressesOf(ids);
    return keys.length === 0 ? [] : this.claims.submit({ keys, worker, leaseMs, suspects });
  }

  async claimReady(queues: readonly string[], limit: number, worker: string, leaseMs: number, suspects = NO_SUSPECTS): Promise<ClaimedActivation[]> {
    if (queues.length === 0 || limit <= 0) return [];
    return this.claimed(await this.ask('claim ready activations', claimReady(queues, limit, newLease(worker, leaseMs), suspects), this.firm));
  }

  async hasSuspect(queues: readonly string[], suspects: number): Promise<boolean> {
    return (await this.ask('look for suspects', findSuspect(queues, suspects))).rows.length > 0;
  }

  async claimSuspect(queues: readonly string[], suspects: number, worker: string, leaseMs: number): Promise<ClaimedActivation | null> {
    return this.claimed(await this.ask('claim a suspect', claimSuspect(queues, suspects, newLease(worker, leaseMs)), this.firm))[0] ?? null;
  }

  private claimed({ rows }: Answer): ClaimedActivation[] {
    if (rows[0]) this.clock.observe(Number(rows[0]['claimed_at']));
    for (const row of rows) if (row['start_items'] !== null) this.items.keepStart(row['execution_id'] as string, row['start_items'] as string);
    return rows.map(claimedOf);
  }

  async extendLeases(activations: readonly ClaimedActivation[], leaseMs: number): Promise<LeaseReport> {
    if (activations.length === 0) return { lost: [] };
    const { rows } = await this.ask('extend leases', extendLeases(activations.map(addressOf).sort(byAddress), leaseMs));
    const held = new Set(rows.map(idOf));
    return { lost: activations.flatMap(({ id }) => (held.has(id) ? [] : [id])) };
  }

  async release(activations: readonly ClaimedActivation[]): Promise<ReadyActivation[]> {
    if (activations.length === 0) return [];
    return (await this.ask('release leases', releaseLeases(activations.map(addressOf).sort(byAddress)), this.firm)).rows.map(readyOf);
  }

  commit(activation: ClaimedActivation, decide: Decide, options: CommitOptions): Promise<CommitResult> {
    return this.commits.submit({ activation, decide, options });
  }

  cancel(executionIds: readonly string[], cause: EndCause, error: ErrorShape | null): Promise<Ended> {
    return this.available('cancel executions', () => this.interventions.cancel(executionIds.filter(isId), cause, error));
  }

  signal(executionId: string, key: string, payload: Json): Promise<SignalResult> {
    return this.available('store a signal', () => this.interventions.signal(numeric(executionId), key, payload));
  }

  // --- sweeps

  async releaseExpired(limit: number, maxLosses: number, worker: string, leaseMs: number): Promise<Released> {
    const { rows } = await this.ask('release expired leases', releaseExpired(limit, maxLosses, newLease(worker, leaseMs)), this.firm);
    this.telemetry?.count('leases_lost_total', rows.length);
    await this.preparePartitions();
    const released = Object.groupBy(rows, (row) => (row['exhausted'] === true ? 'exhausted' : Number(row['losses']) >= suspectAt(maxLosses) ? 'suspects' : 'ready'));
    return { ready: (released.ready ?? []).map(readyOf), suspects: (released.suspects ?? []).map(readyOf), exhausted: (released.exhausted ?? []).map(claimedOf) };
  }

  /** With the sweep of leases, now and then: next week's partitions must be there before next week. */
  private async preparePartitions(): Promise<void> {
    if (performance.now() < this.partitionsAt) return;
    this.partitionsAt = performance.now() + PARTITIONS_MS;
    await this.ask('make partitions', makePartitions(WEEKS_AHEAD), this.firm);
  }

  async fireTimers(limit: number): Promise<ReadyActivation[]> {
    const { rows } = await this.ask('fire timers', fireTimers(limit), this.firm);
    const executions = [...new Set(rows.flatMap((row) => (endsLongWait(row) ? [row['execution_id'] as string] : [])))];
    if (executions.length > 0) await this.ask('restart deadlines', restartDeadlines(executions), this.firm);
    return rows.map(readyOf);
  }

  async announceReady(limit: number, olderThanMs: number, suspects = NO_SUSPECTS, isQueueBusy = false): Promise<ReadyActivation[]> {
    return (await this.ask('announce ready activations', announceReady(limit, olderThanMs, suspects, isQueueBusy))).rows.map(readyOf);
  }

  expireDeadlines(limit: number): Promise<Ended> {
    return this.available('end overdue executions', () => this.interventions.expireDeadlines(limit));
  }

  cancelOrphans(limit: number): Promise<Ended> {
    return this.available('cancel orphans', () => this.interventions.cancelOrphans(limit));
  }

  // --- payloads and history

  loadItems(executionId: string, refs: readonly OutputRef[]): Promise<Item[][]> {
    return this.patiently('load items', () => this.items.load(executionId, refs));
  }

  async loadSlice(executionId: string, ref: OutputRef, from: number, to: number): Promise<Item[]> {
    return (await this.patiently('load items', () => this.items.load(executionId, [ref], from, to)))[0]!;
  }

  loadRuns(executionId: string, keys: readonly ActivationKey[]): Promise<RunRecord[]> {
    return this.patiently('load runs', () => this.history.runsByKey(executionId, keys));
  }

  loadRunsOfNodes(executionId: string, scope: string, nodes: readonly number[]): Promise<RunRecord[]> {
    return this.patiently('load runs', () => this.history.runsOfNodes(executionId, scope, nodes));
  }

  loadCells(executionId: string, scope: string, nodes: readonly number[]): Promise<Cell[]> {
    return this.patiently('load cells', () => this.history.cells(executionId, scope, nodes));
  }

  loadList(executionId: string, scope: string, node: number, name: string): Promise<ListEntry[]> {
    return this.patiently('load a list', () => this.history.listEntries(executionId, scope, node, name));
  }

  async staticData(workflowId: string): Promise<StaticData> {
    const { rows } = await this.patiently('read static data', () => this.soft.ask(readStaticData(workflowId)));
    return Object.fromEntries(rows.map((row) => [row['owner'], JSON.parse(row['data'] as string) as JsonObject]));
  }

  mergeStaticData(workflowId: string, changes: readonly StaticDataChange[]): Promise<void> {
    return this.available('merge static data', () => this.interventions.mergeStaticData(workflowId, changes));
  }

  // --- reads for the API

  findExecution(id: string): Promise<ExecutionRecord | undefined> {
    return this.available('find an execution', () => this.history.find(id));
  }

  listExecutions(filter: ExecutionFilter): Promise<Page<ExecutionRecord>> {
    return this.available('list executions', () => this.history.list(filter));
  }

  async listRuns(executionId: string, after: number, limit: number): Promise<RunRecord[]> {
    await this.exists(executionId);
    return this.available('list runs', () => this.history.runs(executionId, after, limit));
  }

  listOpenActivations(executionId: string): Promise<OpenActivationRecord[]> {
    return this.available('list open activations', () => this.history.openActivations(executionId));
  }

  readSnapshot(executionId: string): Promise<Snapshot | undefined> {
    return this.available('read a snapshot', () => this.history.snapshot(executionId));
  }

  listChildren(executionId: string, activation: ActivationKey): Promise<ExecutionRecord[]> {
    return this.patiently('list children', () => this.history.children(executionId, activation));
  }

  async countFamily(rootId: string, atMost: number): Promise<number> {
    return Number((await this.patiently('count a family', () => this.soft.ask(countFamily(numeric(rootId), atMost)))).rows[0]!['members']);
  }

  deleteExecution(id: string): Promise<ExecutionRecord> {
    return this.available('delete an execution', () => this.interventions.remove(id));
  }

  private async exists(executionId: string): Promise<void> {
    if (!(await this.findExecution(executionId))) throw new NotFound('execution', executionId);
  }

  async now(): Promise<Instant> {
    return Number((await this.ask('read the clock', readClock)).rows[0]!['at']);
  }

  /** Moves the store's clock, for tests. */
  async shiftClock(ms: number): Promise<void> {
    await this.ask('shift the clock', shiftClock(ms), this.firm);
  }

  async health(): Promise<StoreHealth> {
    try {
      const row = (await this.soft.ask(readyBacklog)).rows[0]!;
      return { ok: true, detail: 'postgres', schemaCurrent: true, readyDepth: Number(row['depth']), oldestReadyMs: Math.max(0, Number(row['oldest'] ?? 0)) };
    } catch (error) {
      // 42P01: a table is missing.
      const schemaCurrent = (error as { code?: string }).code !== '42P01';
      return { ok: false, detail: error instanceof Error ? error.message : String(error), schemaCurrent, readyDepth: 0, oldestReadyMs: 0 };
    }
  }

  /** What was handed in is committed first. */
  async close(): Promise<void> {
    await Promise.all([this.commits.drained(), this.accepts.drained()]);
    await Promise.all([this.firm.close(), this.soft.close(), this.documents.close()]);
  }

  private ask(doing: string, query: Query, pool: ConnectionPool = this.soft): Promise<Answer> {
    return this.available(doing, () => pool.ask(query));
  }

  /** Reads in the middle of a node: failing at once would fail the node for what is not its fault. */
  private async patiently<T>(doing: string, work: () => Promise<T>): Promise<T> {
    const until = performance.now() + this.readPatienceMs;
    for (let pause = 50; ; pause = Math.min(1_000, pause * 2)) {
      try {
        return await this.available(doing, work);
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || performance.now() + pause > until) throw error;
        await sleep(pause);
      }
    }
  }

  private async available<T>(doing: string, work: () => Promise<T>): Promise<T> {
    for (let round = 0; ; round++) {
      try {
        return await work();
      } catch (error) {
        const failure = failureOf(error);
        if (failure === 'lost') throw new StoreUnavailable(doing, error);
        if (failure !== 'repeat' || round >= 10) throw error;
      }
    }
  }
}

/** An id that no execution has, for what is not an id. */
const numeric = (id: string): string => (isId(id) ? id : '0');
