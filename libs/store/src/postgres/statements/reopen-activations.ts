import type { Suspension } from '@app/engine';
import { resumeMode, wait } from '../codes.ts';
import { keyColumns, ownKey, sameRow, type ActivationAddress } from './activation-keys.ts';
import { bigint, char, integer, RowSet, text, type Query } from './row-set.ts';

export interface RetryRow extends ActivationAddress {
  readonly readyInMs: number;
}

const retries = new RowSet<RetryRow>({ ...keyColumns, ready_in: bigint((row) => Math.ceil(row.readyInMs)) });
/**
 * Puts activations whose try failed back, to be claimed after their delay. What a signal brought is there for the next
 * try as well; the ends of called executions are not, since the next try calls anew.
 *
 * Locks   activations, by key; heads and leases are held already.
 * Index   activations_pkey.
 * Bound   the batch.
 */
const RETRY = `
with moment as materialized (select argosy_now() as at)
update activations a set ${ownKey}, status = 'r', ready_at = moment.at + k.ready_in, announcement = a.announcement + 1, announced_at = case when k.ready_in <= 0 then moment.at end,
  resume = case when a.wait_kind = 'c' then null else a.resume end, was_suspended = false, lease_id = null, lease_until = null, worker = null
from ${retries.from('k')}, moment where ${sameRow}
returning a.execution_id, a.scope, a.node, a.seq, a.announcement, a.queue, a.priority, a.ready_at <= moment.at as due`;

export const retryActivations = (rows: readonly RetryRow[]): Query => ({ name: 'retry_activations', text: RETRY, values: retries.values(rows) });

export interface SuspendRow extends ActivationAddress {
  readonly suspension: Suspension;
  /** Its key from now on. */
  readonly own: ActivationAddress;
}

const suspensions = new RowSet<SuspendRow>({
  ...keyColumns,
  wait_key: text((row) => row.suspension.key),
  wait_kind: char((row) => wait.code(row.suspension.wait)),
  due_at: bigint((row) => row.suspension.until && Math.ceil(row.suspension.until)),
  resume_mode: char((row) => resumeMode.code(row.suspension.resume)),
  children: integer((row) => row.suspension.children),
});

/** Parks activations. Locks, index and bound as above. */
const SUSPEND = `
update activations a set ${ownKey}, status = 'w', was_suspended = true, resume = null, lease_id = null, lease_until = null, worker = null,
  wait_key = k.wait_key, wait_kind = k.wait_kind, due_at = k.due_at, resume_mode = k.resume_mode, children_pending = k.children
from ${suspensions.from('k')} where ${sameRow}`;

export const suspendActivations = (rows: readonly SuspendRow[]): Query => ({ name: 'suspend_activations', text: SUSPEND, values: suspensions.values(rows) });
