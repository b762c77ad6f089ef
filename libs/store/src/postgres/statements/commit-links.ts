import type { ExecutionState, Firing } from '@app/engine';
import { cause } from '../codes.ts';
import { packInputs, packOutputs } from '../compact.ts';
import { sameRow, type ActivationAddress } from './activation-keys.ts';
import { bigint, char, integer, RowSet, smallint, text, type Query } from './row-set.ts';
import type { Fence } from './commit-chain.ts';
import type { RunRow } from './insert-runs.ts';

/** One step in the middle of a chain: a run that went well, and its only successor, with which the same worker goes on. */
export interface Link extends Fence {
  /** The row that holds the activation and will hold its successor. */
  readonly row: ActivationAddress;
  readonly run: RunRow;
  readonly next: { readonly node: number; readonly seq: number; readonly firing: Firing };
  /** What counts upwards with every step. */
  readonly counters: Pick<ExecutionState, 'spent' | 'front' | 'back' | 'tokens'>;
  readonly worker: string;
  /** Set when the lease has used up half its time. */
  readonly leaseMs: number | null;
}

const links = new RowSet<Link>({
  execution_id: bigint((link) => link.executionId),
  scope: text((link) => link.row.scope),
  node: integer((link) => link.row.node),
  seq: integer((link) => link.row.seq),
  at_commits: integer((link) => link.atCommits),
  at_epoch: integer((link) => link.atEpoch),
  spent: integer((link) => link.counters.spent),
  front: integer((link) => link.counters.front),
  back: integer((link) => link.counters.back),
  tokens: integer((link) => link.counters.tokens),
  run_node: integer((link) => link.run.node),
  run_seq: integer((link) => link.run.seq),
  finished_at: bigint((link) => Math.round(link.run.finishedAt)),
  took_ms: integer((link) => Math.max(0, Math.min(2 ** 31 - 1, Math.round(link.run.finishedAt) - Math.round(link.run.startedAt)))),
  run_worker: integer((link) => link.run.worker),
  run_attempt: smallint((link) => link.run.attempt),
  run_cause: char((link) => cause.code(link.run.cause)),
  run_inputs: text((link) => packInputs(link.run.inputs)),
  outputs: text((link) => packOutputs(link.run.outputs)),
  payload: text((link) => link.run.payload),
  next_node: integer((link) => link.next.node),
  next_seq: integer((link) => link.next.seq),
  next_cause: char((link) => cause.code(link.next.firing.cause)),
  next_inputs: text((link) => packInputs(link.next.firing.inputs)),
  worker: text((link) => link.worker),
  lease_ms: bigint((link) => link.leaseMs),
});

/**
 * Steps in the middle of chains, of many executions, in one statement that is a transaction by itself: what most steps
 * are, and so the statement that a fleet spends its time in. Counters move, the activation's row becomes that of its
 * successor in place, the run goes into the history: two updates without an index and one insert. Each execution stands
 * or falls by its own fence. Answers the executions that passed.
 *
 * Everything else of the head stays, and of the row whatever a new activation has anyway: the caller sees to that.
 *
 * Locks   execution_heads in the order given (by id), then activations by key.
 * Index   execution_heads_pkey, activations_pkey, the primary key of the runs' partition.
 * Bound   the batch.
 */
const TEXT = `
with moment as materialized (select argosy_now() as at),
k as (
  update execution_heads h set commits = h.commits + 1, spent = e.spent, front = e.front, back = e.back, tokens = e.tokens, started_at = coalesce(h.started_at, e.finished_at - e.took_ms)
  from ${links.from('e')}
  where h.execution_id = e.execution_id and h.commits = e.at_commits and h.epoch = e.at_epoch
  returning ${links.list('e.')}
),
moved as (
  update activations a set node = k.next_node, seq = k.next_seq, cause = k.next_cause, inputs = k.next_inputs, worker = k.worker,
    attempt = 1, losses = 0, wakes = 0, announcement = 1, started_at = moment.at, lease_until = coalesce(moment.at + k.lease_ms, a.lease_until)
  from k, moment where ${sameRow}
),
ran as (
  insert into runs (execution_id, scope, node, seq, finished_at, took_ms, commit, worker, attempt, status, cause, inputs, outputs, payload)
  select execution_id, scope, run_node, run_seq, finished_at, took_ms, at_commits, run_worker, run_attempt, 'd', run_cause, run_inputs, outputs, payload from k
)
select k.execution_id, moment.at from k, moment`;

export const commitLinks = (rows: readonly Link[]): Query => ({ name: 'commit_links', text: TEXT, values: links.values(rows) });
