import { emptySnapshot, listKey, nodeKey, type ActivationKey, type Cell, type ExecutionStatus, type ListState, type Snapshot } from '@app/engine';
import { NotFound } from '../errors.ts';
import type { AttemptRecord, ExecutionFilter, ExecutionRecord, ListEntry, OpenActivationRecord, Page, RunRecord, VersionRecord } from '../records.ts';
import { idOf, recordOf } from './activation-row.ts';
import { executionStatus } from './codes.ts';
import { COMMIT, type Row } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import type { InheritedList } from './creation.ts';
import { attemptOf, cellOf, executionRecordOf, listEntryOf, runOf, versionOf } from './history-rows.ts';
import { wholeSnapshot } from './loaded-snapshot.ts';
import { remainingSnapshot, unpackRemains } from './remains.ts';
import { EVERY, loadWhole } from './statements/load-rows.ts';
import { readActivations } from './statements/read-activations.ts';
import { listChildren, listExecutions, listOpenExecutions, readExecutions } from './statements/read-executions.ts';
import { listRuns, readAttempts, readCells, readCounts, readList, readLists, readRuns, readRunsOfNodes } from './statements/read-history.ts';
import { readVersion } from './statements/read-version.ts';
import { readHeads, SNAPSHOT } from './statements/read-heads.ts';

const NEWEST = String(2n ** 63n - 1n);
const OPEN: ReadonlySet<ExecutionStatus> = new Set(['queued', 'running', 'waiting', 'paused']);

/** Reads: what ran, what is open, what was left. Never on the way of a step. */
export class History {
  constructor(private readonly pool: ConnectionPool) {}

  async version(id: string): Promise<VersionRecord | undefined> {
    const row = (await this.pool.ask(readVersion(id))).rows[0];
    return row && versionOf(row);
  }

  async find(id: string): Promise<ExecutionRecord | undefined> {
    if (!isId(id)) return undefined;
    const row = (await this.pool.ask(readExecutions([id]))).rows[0];
    return row && executionRecordOf(row);
  }

  async list(filter: ExecutionFilter): Promise<Page<ExecutionRecord>> {
    const { statuses, limit } = filter;
    const wanted = statuses && new Set(statuses);
    const open = statuses?.filter((status) => OPEN.has(status)) ?? [];
    // The ways of being open are told apart by reading, so a page may take several looks.
    const exact = !wanted || open.length === 0 || open.length === OPEN.size;
    const found: ExecutionRecord[] = [];
    for (let before = filter.cursor ?? NEWEST; ; ) {
      const rows = await this.page(filter, before, exact ? limit + 1 : Math.max(limit + 1, 100), open.length);
      found.push(...rows.map(executionRecordOf).filter((record) => !wanted || wanted.has(record.status)));
      if (found.length > limit || rows.length <= limit || rows.length === 0) break;
      before = rows.at(-1)!['execution_id'] as string;
    }
    const page = found.slice(0, limit);
    return { rows: page, nextCursor: found.length > limit ? page.at(-1)!.id : null };
  }

  private async page({ statuses, workflowId, project, startedAfter, startedBefore }: ExecutionFilter, before: string, limit: number, open: number): Promise<readonly Row[]> {
    const codes = statuses && [...statuses.filter((status) => !OPEN.has(status)).map((status) => executionStatus.code(status)), ...(open > 0 ? ['o'] : [])];
    const query = statuses && open === statuses.length && open > 0 ? listOpenExecutions : listExecutions;
    const answer = await this.pool.ask(
      query({ before: isId(before) ? before : NEWEST, limit, workflowId: workflowId ?? null, project: project ?? null, statuses: codes ?? null, startedAfter: startedAfter ?? null, startedBefore: startedBefore ?? null }),
    );
    return answer.rows;
  }

  async children(executionId: string, { scope, node, seq }: ActivationKey): Promise<ExecutionRecord[]> {
    return (await this.pool.ask(listChildren(executionId, scope, node, seq))).rows.map(executionRecordOf);
  }

  async runs(executionId: string, after: number, limit: number): Promise<RunRecord[]> {
    return this.withAttempts((await this.pool.ask(listRuns(executionId, Math.max(-1, Math.floor(after)), limit))).rows);
  }

  async runsByKey(executionId: string, keys: readonly ActivationKey[]): Promise<RunRecord[]> {
    const { rows } = await this.pool.ask(readRuns(keys.map((key) => ({ ...key, executionId }))));
    const found = new Map((await this.withAttempts(rows)).map((run) => [nameOf(run), run]));
    return keys.flatMap((key) => found.get(nameOf(key)) ?? []);
  }

  async runsOfNodes(executionId: string, scope: string, nodes: readonly number[]): Promise<RunRecord[]> {
    return this.withAttempts((await this.pool.ask(readRunsOfNodes(executionId, scope, nodes))).rows);
  }

  /** Earlier tries are those of a run that was not the first try, or that failed because its only try was lost. */
  private async withAttempts(rows: readonly Row[]): Promise<RunRecord[]> {
    const repeated = rows.filter((row) => Number(row['attempt']) > 1 || row['error'] !== null).map((row) => ({ executionId: row['execution_id'] as string, scope: row['scope'] as string, node: Number(row['node']), seq: Number(row['seq']) }));
    if (repeated.length === 0) return rows.map((row) => ({ ...runOf(row), attempts: [] }));
    const attempts = Map.groupBy((await this.pool.ask(readAttempts(repeated))).rows, idOf);
    return rows.map((row) => ({ ...runOf(row), attempts: attempts.get(idOf(row))?.map((attempt): AttemptRecord => attemptOf(attempt)) ?? [] }));
  }

  async cells(executionId: string, scope: string, nodes: readonly number[]): Promise<Cell[]> {
    return (await this.pool.ask(readCells(executionId, scope, nodes))).rows.map(cellOf);
  }

  async listEntries(executionId: string, scope: string, node: number, name: string): Promise<ListEntry[]> {
    return (await this.pool.ask(readList(executionId, scope, node, name))).rows.map(listEntryOf);
  }

  async lists(executionId: string): Promise<InheritedList[]> {
    const { rows } = await this.pool.ask(readLists(executionId));
    return [...Map.groupBy(rows, (row) => `${String(row['scope'])} ${String(row['node'])} ${String(row['name'])}`).values()].map((entries) => ({
      scope: entries[0]!['scope'] as string,
      node: Number(entries[0]!['node']),
      name: entries[0]!['name'] as string,
      entries: entries.map(listEntryOf),
    }));
  }

  async openActivations(executionId: string): Promise<OpenActivationRecord[]> {
    const [execution, activations] = await this.pool.send([readExecutions(isId(executionId) ? [executionId] : []), readActivations(isId(executionId) ? [executionId] : [])]);
    const row = execution!.rows[0];
    if (!row) throw new NotFound('execution', executionId);
    if (row['status'] === null) return activations!.rows.map(recordOf);
    return row['remains'] === null ? [] : [...unpackRemains(row['remains'] as string).activations];
  }

  async snapshot(executionId: string): Promise<Snapshot | undefined> {
    if (!isId(executionId)) return undefined;
    const [, heads, whole, executions, counts] = await this.pool.send([SNAPSHOT, readHeads([executionId]), loadWhole([executionId], EVERY), readExecutions([executionId]), readCounts(executionId), COMMIT]);
    const execution = executions!.rows[0];
    if (!execution) return undefined;
    if (heads!.rows[0]) return wholeSnapshot(heads!.rows[0], whole!.rows);
    return endedSnapshot(execution, counts!.rows);
  }
}

function endedSnapshot(execution: Row, counts: readonly Row[]): Snapshot {
  const record = executionRecordOf(execution);
  const fired = new Map<`${string}:${number}`, number>();
  const lists = new Map<string, ListState>();
  for (const { kind, scope, node, a, b, name } of counts) {
    if (kind === 'f') fired.set(nodeKey(scope as string, Number(node)), Number(a));
    else lists.set(listKey(scope as string, Number(node), name as string), { entries: Number(a), items: Number(b) });
  }
  if (execution['remains'] !== null) return remainingSnapshot(unpackRemains(execution['remains'] as string), fired, lists);
  const state = { ...emptySnapshot().execution, status: record.status, commits: record.commits, spent: Number(execution['spent'] ?? 0), warnings: record.warnings };
  return { ...emptySnapshot(), execution: state, fired, lists };
}

/** What can be an id at all; anything else is simply not found. */
export const isId = (id: string): boolean => /^\d{1,18}$|^[1-8]\d{18}$|^9[01]\d{17}$/.test(id);

const nameOf = ({ scope, node, seq }: ActivationKey): string => `${scope} ${node} ${seq}`;

