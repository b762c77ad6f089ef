import type { Firing } from '@app/engine';
import { cause, phase } from '../codes.ts';
import { packInputs } from '../compact.ts';
import { keyColumns, type ActivationAddress } from './activation-keys.ts';
import { bigint, char, RowSet, smallint, text, type Query } from './row-set.ts';

export interface NewActivationRow extends ActivationAddress {
  readonly firing: Firing;
  /** From now until it may be claimed; the store's clock is the one that decides. */
  readonly readyInMs: number;
  readonly queue: string;
  readonly priority: number;
  /** Set when the worker that commits goes on with it. */
  readonly lease: { readonly id: string; readonly ms: number; readonly worker: string } | null;
}

export const newActivations = new RowSet<NewActivationRow>({
  ...keyColumns,
  ready_in: bigint((row) => Math.ceil(row.readyInMs)),
  status: char((row) => (row.lease ? 'x' : 'r')),
  attempt: smallint((row) => (row.lease ? 1 : 0)),
  lease_id: bigint((row) => row.lease?.id),
  lease_ms: bigint((row) => row.lease?.ms),
  worker: text((row) => row.lease?.worker),
  queue: text((row) => row.queue),
  priority: smallint((row) => row.priority),
  cause: char((row) => cause.code(row.firing.cause)),
  phase: char((row) => row.firing.phase && phase.code(row.firing.phase)),
  inputs: text((row) => packInputs(row.firing.inputs)),
  arguments: text((row) => (row.firing.arguments === undefined ? null : JSON.stringify(row.firing.arguments))),
});

/** Target columns and what fills them, from the aliases n (columns of `newActivations`) and moment (at). */
export const activationTarget = 'execution_id, scope, node, seq, row_node, row_seq, ready_at, announced_at, status, attempt, lease_id, lease_until, started_at, worker, queue, priority, cause, phase, inputs, arguments';
export const activationSource =
  "n.execution_id, n.scope, n.node, n.seq, n.node, n.seq, moment.at + n.ready_in, case when n.ready_in <= 0 then moment.at end, n.status, n.attempt, n.lease_id, moment.at + n.lease_ms, case n.status when 'x' then moment.at end, n.worker, n.queue, n.priority, n.cause, n.phase, n.inputs, n.arguments";

/**
 * Creates activations: ready ones, and such as the committing worker holds from the start.
 *
 * Locks   nothing that exists.
 * Index   activations_pkey, the partial one of their status.
 * Bound   the successors of the batch's commits.
 */
const TEXT = `
with moment as materialized (select argosy_now() as at)
insert into activations (${activationTarget})
select ${activationSource} from ${newActivations.from('n')}, moment`;

export const insertActivations = (rows: readonly NewActivationRow[]): Query => ({ name: 'insert_activations', text: TEXT, values: newActivations.values(rows) });
