import { bigint, RowSet, text, type Query } from './row-set.ts';

interface CustomRow {
  readonly executionId: string;
  readonly customData: string;
}

const rows = new RowSet<CustomRow>({ execution_id: bigint((row) => row.executionId), custom_data: text((row) => row.customData) });

/**
 * Writes the labels that nodes gave their executions.
 *
 * Locks   executions; their heads are held already.
 * Index   the primary key of the partition.
 * Bound   the batch.
 */
const TEXT = `update executions x set custom_data = n.custom_data from ${rows.from('n')} where x.execution_id = n.execution_id`;

export const writeCustomData = (list: readonly CustomRow[]): Query => ({ name: 'write_custom_data', text: TEXT, values: rows.values(list) });
