import type { EndCause, ErrorShape, ExecutionEnd } from '@app/engine';
import type { Ended, ReadyActivation } from '../records.ts';
import { laterDeadline, openWork } from '../deadline.ts';
import { recordOf } from './activation-row.ts';
import { executionStatus, wait } from './codes.ts';
import { BEGIN, COMMIT, ROLLBACK, type Connection, type Row } from './connection.ts';
import { endRows, LockedExecution } from './locked-execution.ts';
import { moveDeadlines, type DeadlineRow } from './statements/deadlines.ts';
import { insertRuns, type RunRow } from './statements/insert-runs.ts';
import { lockHeads, tryLockHeads } from './statements/lock-heads.ts';
import { readActivations } from './statements/read-activations.ts';
import { StepWrites } from './step-writes.ts';
import type { WorkerNumbers } from './worker-numbers.ts';
import { loadWhole, WHOLE_COMMITS } from './statements/load-rows.ts';

/**
 * Ends executions from outside, at once: whoever still runs something of them finds its lease gone. What ran becomes a
 * canceled run, what waited is kept in `remains`. Answers the executions that were open and what that woke.
 */
export async function endFromOutside(
  connection: Connection,
  executionIds: readonly string[],
  end: { readonly cause: EndCause; readonly error: ErrorShape | null },
  workers: WorkerNumbers,
  when: 'always' | 'if overdue',
): Promise<Ended & { readonly hasSuspended: boolean }> {
  try {
    const [, heads, activations, whole] = await connection.send([BEGIN, when === 'always' ? lockHeads(executionIds) : tryLockHeads(executionIds), readActivations(executionIds), loadWhole(executionIds)]);
    const rows = Map.groupBy(whole!.rows, (row) => row['execution_id'] as string);
    const later = new Map(when === 'always' ? [] : heads!.rows.flatMap((head) => movedDeadline(head, activations!.rows) ?? []).map((moved) => [moved.executionId, moved]));
    const locked = heads!.rows.filter((head) => !later.has(head['execution_id'] as string)).map((head) => new LockedExecution(head, rows.get(head['execution_id'] as string) ?? [], WHOLE_COMMITS));
    const ending = new Set(locked.map(({ executionId }) => executionId));
    const running = activations!.rows.filter((row) => row['status'] === 'x' && ending.has(row['execution_id'] as string));
    await workers.learn(running.map((row) => row['worker'] as string));
    const writes = new StepWrites();
    const ready: ReadyActivation[] = [];
    const runs = locked.flatMap((execution) => {
      execution.end = { status: 'canceled', ...end } satisfies ExecutionEnd;
      execution.snapshot = { ...execution.snapshot, execution: { ...execution.snapshot.execution, status: 'canceled' } };
      if (execution.parent) writes.childEnded(execution.parent, ready);
      return running.filter((row) => row['execution_id'] === execution.executionId).map((row) => canceledRun(row, execution, end.error, workers));
    });
    const first = (execution: LockedExecution) => (execution.head['started_at'] === null ? earliest(activations!.rows, execution.executionId) : Number(execution.head['started_at']));
    const suspended = new Set(locked.flatMap(({ executionId, hasSuspended }) => (hasSuspended ? [executionId] : [])));
    for (const row of await endRows(connection, locked, first, activations!.rows)) writes.end(row, suspended.has(row.executionId));
    const list = writes.writes();
    const answers = await connection.send([...list.map(({ query }) => query), ...(runs.length > 0 ? [insertRuns(runs)] : []), ...(later.size > 0 ? [moveDeadlines([...later.values()])] : []), COMMIT]);
    list.forEach(({ heard }, index) => heard?.(answers[index]!));
    return { executionIds: locked.map(({ executionId }) => executionId), ready, hasSuspended: suspended.size > 0 };
  } catch (error) {
    if (!connection.broken) await connection.send([ROLLBACK]).catch(() => {});
    throw error;
  }
}

/** Null: it is overdue, or has no time-out any more. */
function movedDeadline(head: Row, activations: readonly Row[]): DeadlineRow | null {
  if (head['timeout_ms'] === null) return null;
  const executionId = head['execution_id'] as string;
  const own = activations.filter((row) => row['execution_id'] === executionId);
  const deadline = laterDeadline(
    {
      beganAt: head['started_at'] === null ? earliest(activations, executionId) : Number(head['started_at']),
      hasMoved: Number(head['commits']) > 1,
      isWaiting: head['status'] === executionStatus.code('waiting'),
      activations: own.map((row) => {
        const { status, startedAt, readyAt, resume } = recordOf(row);
        const until = row['due_at'] === null ? null : Number(row['due_at']);
        return openWork({ status, startedAt, readyAt, wait: row['wait_kind'] === null ? null : { wait: wait.word(row['wait_kind']), until }, resumed: resume !== null });
      }),
    },
    Number(head['timeout_ms']),
    Number(head['at']),
  );
  return deadline === null ? null : { executionId, deadline };
}

function canceledRun(row: Row, execution: LockedExecution, error: ErrorShape | null, workers: WorkerNumbers): RunRow {
  const { scope, node, seq, attempt, cause, inputs, startedAt, worker } = recordOf(row);
  const { executionId, at } = execution;
  const commit = execution.snapshot.execution.commits;
  return { executionId, scope, node, seq, status: 'canceled', attempt, commit, cause, inputs, outputs: [], payload: null, error, stream: [], logs: [], startedAt: startedAt ?? at, finishedAt: at, worker: worker === null ? null : (workers.of(worker) ?? null) };
}

function earliest(rows: readonly Row[], executionId: string): number | null {
  const moments = rows.flatMap((row) => (row['execution_id'] === executionId && row['started_at'] !== null ? [Number(row['started_at'])] : []));
  return moments.length > 0 ? Math.min(...moments) : null;
}
