import { bigint, RowSet, text, type Query } from './row-set.ts';

export interface KeyRow {
  readonly workflowId: string;
  readonly key: string;
  readonly executionId: string;
}

const keys = new RowSet<KeyRow>({ workflow_id: text((row) => row.workflowId), key: text((row) => row.key), execution_id: bigint((row) => row.executionId) });

/**
 * Takes idempotency keys for new executions; answers the executions that got theirs. Waits for a transaction that is
 * about to take the same key.
 *
 * Locks   idempotency_keys, in the order given (by workflow and key).
 * Index   idempotency_keys_pkey.
 * Bound   the batch.
 */
const TAKE = `
with moment as materialized (select argosy_now() as at)
insert into idempotency_keys (workflow_id, key, execution_id, created_at)
select n.workflow_id, n.key, n.execution_id, moment.at from ${keys.from('n')}, moment
on conflict do nothing returning execution_id`;

export const takeKeys = (rows: readonly KeyRow[]): Query => ({ name: 'take_keys', text: TAKE, values: keys.values(rows) });

/** Who has them. Locks nothing; index and bound as above. */
const FIND = `select k.workflow_id, k.key, k.execution_id from ${keys.from('n')} join idempotency_keys k using (workflow_id, key)`;

export const findKeys = (rows: readonly KeyRow[]): Query => ({ name: 'find_keys', text: FIND, values: keys.values(rows) });
