import { isTerminal, type EndCause, type ErrorShape, type Json } from '@app/engine';
import { Conflict, NotFound } from '../errors.ts';
import type { ExecutionRecord, ReadyActivation, SignalResult, StaticDataChange } from '../records.ts';
import { endsLongWait, readyOf } from './activation-row.ts';
import { BEGIN, COMMIT, ROLLBACK, type Connection } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { endFromOutside } from './ending.ts';
import { failureOf } from './failure.ts';
import type { History } from './history.ts';
import { deleteExecution } from './statements/delete-execution.ts';
import { overdueExecutions, restartDeadlines } from './statements/deadlines.ts';
import { lockHeads } from './statements/lock-heads.ts';
import { storeSignal, wakeForSignal } from './statements/signals.ts';
import { mergeStaticData } from './static-data.ts';
import type { WorkerNumbers } from './worker-numbers.ts';

const TIMEOUT = { cause: 'timeout', error: { message: 'The execution ran longer than its time-out allows.', code: 'timeout' } } as const;

/** What reaches an execution from outside of its own steps. */
export class Interventions {
  constructor(private readonly parts: { readonly pool: ConnectionPool; readonly workers: WorkerNumbers; readonly history: History }) {}

  async cancel(executionId: string, cause: EndCause, error: ErrorShape | null): Promise<boolean> {
    const { ended } = await this.transact((connection) => endFromOutside(connection, [executionId], { cause, error }, this.parts.workers, 'always'));
    if (ended.length > 0) return true;
    if (!(await this.parts.history.find(executionId))) throw new NotFound('execution', executionId);
    return false;
  }

  async expireDeadlines(limit: number): Promise<string[]> {
    const { rows } = await this.parts.pool.ask(overdueExecutions(limit));
    if (rows.length === 0) return [];
    const { ended } = await this.transact((connection) => endFromOutside(connection, rows.map((row) => row['execution_id'] as string), TIMEOUT, this.parts.workers, 'if overdue'));
    return ended;
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
