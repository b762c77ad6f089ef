import type { Query } from './row-set.ts';

/**
 * Wakes the activation that waits for a signal; the oldest, should several wait for the same key.
 *
 * Locks   activations, one row; the head is held.
 * Index   activations_pkey, by execution.
 * Bound   one row; the open activations of the execution are read.
 */
const WAKE = `
with k as materialized (
  select a.execution_id, a.scope, a.node, a.seq from activations a
  where a.execution_id = $1 and a.status = 'w' and a.wait_key = $2 and a.wait_kind <> 'c'
  order by a.scope, a.node, a.seq limit 1 for update
)
update activations a set status = 'r', ready_at = argosy_now(), announcement = a.announcement + 1, announced_at = argosy_now(), wakes = a.wakes + 1, resume = $3
from k where a.execution_id = k.execution_id and a.scope = k.scope and a.row_node = k.node and a.row_seq = k.seq and a.status = 'w'
returning a.execution_id, a.scope, a.node, a.seq, a.announcement, a.queue, a.priority, a.wait_kind, a.due_at, a.started_at`;

export const wakeForSignal = (executionId: string, key: string, resume: string): Query => ({ name: 'wake_for_signal', text: WAKE, values: [executionId, key, resume] });

/**
 * Stores a signal, delivered already or to be matched when somebody begins to wait. Answers whether it is new.
 *
 * Locks   signals, one row; the head is held.
 * Index   signals_pkey.
 * Bound   one row.
 */
const STORE = `
insert into signals (execution_id, key, payload, consumed, created_at) values ($1, $2, $3, $4::boolean, argosy_now())
on conflict (execution_id, key) do update set payload = excluded.payload, consumed = true where excluded.consumed
returning key`;

export const storeSignal = (executionId: string, key: string, payload: string, consumed: boolean): Query => ({ name: 'store_signal', text: STORE, values: [executionId, key, payload, String(consumed)] });
