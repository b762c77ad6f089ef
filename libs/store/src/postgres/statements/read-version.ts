import type { Query } from './row-set.ts';

/**
 * One version with its program. Prisma could read it as well, but this is all that a worker wants of the documents, and
 * Prisma's query compiler, loaded with its first query, would take 50 MB of every worker.
 *
 * Locks   none.
 * Index   workflow_versions_pkey.
 * Bound   one row.
 */
export const readVersion = (id: string): Query => ({
  name: 'read_version',
  text: 'select id, workflow_id, dialect, document, program, name, description, created_at from workflow_versions where id = $1',
  values: [id],
});

/** What a workflow's nodes remember between executions. Locks none; index static_data_pkey; bound: one row per owner. */
export const readStaticData = (workflowId: string): Query => ({
  name: 'read_static_data',
  text: 'select owner, data from static_data where workflow_id = $1 order by owner',
  values: [workflowId],
});
