import { RowSet, text, textValues, type Query } from './row-set.ts';

export interface StaticRow {
  readonly workflowId: string;
  readonly owner: string;
  readonly data: string;
}

const owners = new RowSet<Pick<StaticRow, 'workflowId' | 'owner'>>({ workflow_id: text((row) => row.workflowId), owner: text((row) => row.owner) });
const values = new RowSet<StaticRow>({ workflow_id: text((row) => row.workflowId), owner: text((row) => row.owner), data: text((row) => row.data) });

/**
 * Makes the rows that are about to be merged into, so that there is something to lock.
 *
 * Locks   static_data, new rows only, in the order given (by workflow and owner).
 * Index   static_data_pkey.
 * Bound   the batch.
 */
const MAKE = `insert into static_data (workflow_id, owner, data) select o.workflow_id, o.owner, '{}' from ${owners.from('o')} on conflict do nothing`;
export const makeStaticData = (rows: readonly Pick<StaticRow, 'workflowId' | 'owner'>[]): Query => ({ name: 'make_static_data', text: MAKE, values: owners.values(rows) });

/** Locks and reads them, in the same order. */
const LOCK = `
select s.workflow_id, s.owner, s.data from ${owners.from('o')} join static_data s using (workflow_id, owner)
order by s.workflow_id, s.owner for update of s`;
export const lockStaticData = (rows: readonly Pick<StaticRow, 'workflowId' | 'owner'>[]): Query => ({ name: 'lock_static_data', text: LOCK, values: owners.values(rows) });

/** Writes them back; held already. */
const WRITE = `update static_data s set data = v.data, version = s.version + 1 from ${values.from('v')} where s.workflow_id = v.workflow_id and s.owner = v.owner`;
export const writeStaticData = (rows: readonly StaticRow[]): Query => ({ name: 'write_static_data', text: WRITE, values: values.values(rows) });

/** All of some workflows. Locks nothing; index static_data_pkey. */
export const readStaticData = (workflowIds: readonly string[]): Query => ({
  name: 'read_static_data',
  text: 'select workflow_id, owner, data from static_data where workflow_id = any($1::text[]) order by workflow_id, owner',
  values: [textValues(workflowIds)],
});

