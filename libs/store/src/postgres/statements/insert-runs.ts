import type { ErrorShape, Firing, SettledRun } from '@app/engine';
import { cause, runStatus } from '../codes.ts';
import { packInputs, packOutputs } from '../compact.ts';
import { keyColumns, type ActivationAddress } from './activation-keys.ts';
import { bigint, char, integer, RowSet, smallint, text, type Query } from './row-set.ts';

export interface RunRow extends ActivationAddress {
  readonly status: SettledRun['status'];
  readonly attempt: number;
  readonly commit: number;
  readonly cause: Firing['cause'];
  readonly inputs: SettledRun['inputs'];
  readonly outputs: SettledRun['outputs'];
  readonly payload: string | null;
  readonly error: ErrorShape | null;
  readonly stream: readonly string[];
  readonly logs: readonly string[];
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Number of the worker's name. */
  readonly worker: number | null;
}

const list = (values: readonly string[]): string | null => (values.length === 0 ? null : JSON.stringify(values));

export const newRuns = new RowSet<RunRow>({
  ...keyColumns,
  finished_at: bigint((run) => Math.round(run.finishedAt)),
  took_ms: integer((run) => Math.max(0, Math.min(2 ** 31 - 1, Math.round(run.finishedAt) - Math.round(run.startedAt)))),
  commit: integer((run) => run.commit),
  worker: integer((run) => run.worker),
  attempt: smallint((run) => run.attempt),
  status: char((run) => runStatus.code(run.status)),
  cause: char((run) => cause.code(run.cause)),
  inputs: text((run) => (run.inputs.length === 0 ? null : packInputs(run.inputs))),
  outputs: text((run) => packOutputs(run.outputs)),
  payload: text((run) => run.payload),
  error: text((run) => run.error && JSON.stringify(run.error)),
  logs: text((run) => list(run.logs)),
  stream: text((run) => list(run.stream)),
});

/**
 * Writes settled activations into the history. A second row with a key is an error: nothing settles twice.
 *
 * Locks   nothing that exists.
 * Index   the primary key of the partition.
 * Bound   the runs of the batch's commits; a commit has one, and one more per node it skipped.
 */
const TEXT = `insert into runs (${newRuns.list()}) select ${newRuns.list('r.')} from ${newRuns.from('r')}`;

export const insertRuns = (rows: readonly RunRow[]): Query => ({ name: 'insert_runs', text: TEXT, values: newRuns.values(rows) });
