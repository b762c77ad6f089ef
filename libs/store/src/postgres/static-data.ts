import type { JsonObject } from '@app/engine';
import type { StaticDataChange } from '../records.ts';
import type { Connection } from './connection.ts';
import type { Query } from './statements/row-set.ts';
import { lockStaticData, makeStaticData, writeStaticData } from './statements/static-data.ts';

export interface WorkflowChanges {
  readonly workflowId: string;
  readonly changes: readonly StaticDataChange[];
}

/**
 * Merges into the static data of workflows inside a transaction: top-level key by key, so that two executions that
 * change different keys do not undo each other. Answers the statement that writes the result.
 */
export async function mergeStaticData(connection: Connection, list: readonly WorkflowChanges[]): Promise<Query> {
  const owners = new Map(list.flatMap(({ workflowId, changes }) => changes.map(({ owner }) => [`${workflowId} ${owner}`, { workflowId, owner }] as const)));
  const sorted = [...owners.values()].sort((a, b) => (a.workflowId < b.workflowId ? -1 : a.workflowId > b.workflowId ? 1 : a.owner < b.owner ? -1 : 1));
  const [, locked] = await connection.send([makeStaticData(sorted), lockStaticData(sorted)]);
  const merged = new Map(locked!.rows.map((row) => [`${String(row['workflow_id'])} ${String(row['owner'])}`, JSON.parse(row['data'] as string) as JsonObject]));
  for (const { workflowId, changes } of list) {
    for (const { owner, set, removed } of changes) {
      const next = { ...merged.get(`${workflowId} ${owner}`), ...set };
      for (const key of removed) delete next[key];
      merged.set(`${workflowId} ${owner}`, next);
    }
  }
  return writeStaticData(sorted.map(({ workflowId, owner }) => ({ workflowId, owner, data: JSON.stringify(merged.get(`${workflowId} ${owner}`) ?? {}) })));
}
