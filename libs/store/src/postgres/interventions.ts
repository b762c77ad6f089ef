import { isTerminal, type EndCause, type ErrorShape, type Json } from '@app/engine';
import { Conflict, NotFound } from '../errors.ts';
import type { Ended, ExecutionRecord, ReadyActivation, SignalResult, StaticDataChange } from '../records.ts';
import { endsLongWait, readyOf } from './activation-row.ts';
import { BEGIN, COMMIT, ROLLBACK, type Connection, type Row } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { endFromOutside } from './ending.ts';
import { failureOf } from './failure.ts';
import type { History } from './history.ts';
import { deleteExecution } from './statements/delete-execution.ts';
import { overdueExecutions, restartDeadlines } from './statements/deadlines.ts';
import { lockHeads } from './statements/lock-heads.ts';
import { findOrphans, forgetCallers } from './statements/orphans.ts';
import { findRetry } from './statements/read-executions.ts';
import { storeSignal, wakeForSignal } from './statements/signals.ts';
import { mergeStaticData } from './static-data.ts';
import type { WorkerNumbers } from './worker-numbers.ts';

const TIMEOUT = { cause: 'timeout', error: { message: 'The execution ran longer than its time-out allows.', code: 'timeout' } } as const;

const ORPHANED = { cause: 'caller-ended', error: { message: 'The execution that called this one and waited for it has ended.', code: 'caller_ended' } } as const;
const LEVELS_AT_ONCE = 20;
const ORPHANS_AT_ONCE = 100;

/** What reaches an execution from outside of its own steps. */
export class Interventions {
  constructor(private readonly parts: { readonly pool: ConnectionPool; readonly workers: WorkerNumbers; readonly history: History }) {}

  async cancel(executionIds: readonly string[], cause: EndCause, error: ErrorShape | null): Promise<Ended> {
    return this.end(executionIds, { cause, error }, 'always');
  }

  async expireDeadlines(limit: number): Promise<Ended> {
    const { rows } = await this.parts.pool.ask(overdueExecutions(limit));
    return this.end(rows.map(idOf), TIMEOUT, 'if overdue');
  }

  /** Callers of whose called executions none is open are forgotten on the way. */
  async cancelOrphans(limit: number): Promise<Ended> {
    const { rows } = await this.parts.pool.ask(findOrphans(limit));
    const done = rows.filter((row) => row['execution_id'] === null).map((row) => row['caller'] as string);
    if (done.length > 0) await this.parts.pool.ask(forgetCallers(done));
    const { executionIds, ready } = await this.endOnly(rows.filter((row) => row['execution_id'] !== null).map(idOf), ORPHANED, 'always');
    return { executionIds, ready };
  }

  /** With what they called, level by level; what is beyond some levels or too much at once is left to the sweeps. */
  private async end(executionIds: readonly string[], end: { readonly cause: EndCause; readonly error: ErrorShape | null }, when: 'always' | 'if overdue'): Promise<Ended> {
    const first = await this.endOnly(executionIds, end, when);
    const all = { executionIds: [...first.executionIds], ready: [...first.ready] };
    for (let level = 0; first.hasSuspended && level < LEVELS_AT_ONCE; level++) {
      const { executionIds: orphans, ready } = await this.cancelOrphans(ORPHANS_AT_ONCE);
      if (orphans.length === 0) break;
      all.executionIds.push(...orphans);
      all.ready.push(...ready);
    }
    return all;
  }

  private async endOnly(executionIds: readonly string[], end: { readonly cause: EndCause; readonly error: ErrorShape | null }, when: 'always' | 'if overdue'): Promise<Ended & { readonly hasSuspended: boolean }> {
    if (executionIds.length === 0) return { executionIds: [], ready: [], hasSuspended: false };
    return this.transact((connection) => endFromOutside(connection, executionIds, end, this.parts.workers, when));
  }

  async signal(executionId: string, key: string, payload: Json): Promise<SignalResult> {
    const name = key.replaceAll('\0', '�');
    const text = JSON.stringify(payload ?? null);
    const result = await this.transact(async (connection): Promise<SignalResult | null> => {
      const [, heads, woken] = await connection.send([BEGIN, lockHeads([executionId]), wakeForSignal(executionId, name, `{"cause":"signal","payload":${text}}`)]);
      if (heads!.rows.length === 0) {
        await connection.send([ROLLBACK]);
        return null;
      }
      const ready = woken!.rows.map((row): ReadyActivation => readyOf(row));
      const [stored] = await connection.send([storeSignal(executionId, name, text, ready.length > 0), ...(woken!.rows.some(endsLongWait) ? [restartDeadlines([executionId])] : []), COMMIT]);
      if (ready.length > 0) return { kind: 'delivered', ready };
      return { kind: stored!.rows.length > 0 ? 'stored' : 'duplicate', ready };
    });
    if (result) return result;
    return { kind: (await this.parts.history.find(executionId)) ? 'ended' : 'unknown', ready: [] };
  }

  async mergeStaticData(workflowId: string, changes: readonly StaticDataChange[]): Promise<void> {
    if (changes.length === 0) return;
    await this.transact(async (connection) => {
      await connection.send([BEGIN]);
      const write = await mergeStaticData(connection, [{ workflowId, changes }]);
      await connection.send([write, COMMIT]);
    });
  }

  async remove(id: string): Promise<ExecutionRecord> {
    const record = await this.parts.history.find(id);
    if (!record) throw new NotFound('execution', id);
    if (!isTerminal(record.status)) throw new Conflict(`Execution ${id} has not ended; cancel it first.`);
    const [retry] = (await this.parts.pool.ask(findRetry(id))).rows;
    if (retry) throw new Conflict(`Execution ${id} holds items that its retry ${String(retry['execution_id'])} refers to; delete that one first.`);
    await this.transact((connection) => connection.send([BEGIN, ...deleteExecution(id), COMMIT]));
    return record;
  }

  /** Again when another transaction was in the way. */
  private async transact<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    for (let round = 0; ; round++) {
      try {
        return await this.parts.pool.use(async (connection) => {
          try {
            return await work(connection);
          } catch (error) {
            if (!connection.broken) await connection.send([ROLLBACK]).catch(() => {});
            throw error;
          }
        });
      } catch (error) {
        if (failureOf(error) !== 'repeat' || round >= 10) throw error;
      }
    }
  }
}

const idOf = (row: Row): string => row['execution_id'] as string;
