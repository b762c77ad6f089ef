import { activationKeys, type ActivationAddress } from './activation-keys.ts';
import { plainValues, type Query } from './row-set.ts';

/** A run without its items. */
const RUN = 'r.execution_id, r.scope, r.node, r.seq, r.finished_at, r.took_ms, r.commit, r.attempt, r.status, r.cause, r.inputs, r.outputs, r.error, r.logs, w.name as worker';
const FROM = 'from runs r left join worker_names w on w.id = r.worker';

/** Runs by key. Locks none; index the primary key of the partition; bound the keys given. */
export const readRuns = (keys: readonly ActivationAddress[]): Query => ({
  name: 'read_runs',
  text: `select ${RUN} from ${activationKeys.from('k')} join runs r using (execution_id, scope, node, seq) left join worker_names w on w.id = r.worker`,
  values: activationKeys.values(keys),
});

/** All runs of some nodes in one scope. Locks none; index the primary key of the partition; bound their runs. */
export const readRunsOfNodes = (executionId: string, scope: string, nodes: readonly number[]): Query => ({
  name: 'read_runs_of_nodes',
  text: `select ${RUN} ${FROM} where r.execution_id = $1 and r.scope = $2 and r.node = any($3::int[]) order by r.node, r.seq`,
  values: [executionId, scope, plainValues(nodes)],
});

/** Runs in the order of their commits. Locks none; index the primary key by execution; bound `limit` are returned, the execution's runs are read. */
export const listRuns = (executionId: string, after: number, limit: number): Query => ({
  name: 'list_runs',
  text: `select ${RUN} ${FROM} where r.execution_id = $1 and r.commit > $2 order by r.commit, r.node, r.scope, r.seq limit $3`,
  values: [executionId, after, limit],
});

/** Tries before the last ones of some activations. Locks none; index the primary key of the partition; bound their tries. */
export const readAttempts = (keys: readonly ActivationAddress[]): Query => ({
  name: 'read_attempts',
  text: `select t.* from ${activationKeys.from('k')} join attempts t using (execution_id, scope, node, seq) order by t.attempt, t.losses`,
  values: activationKeys.values(keys),
});

/** Cells of some nodes in one scope. Locks none; index the primary key of the partition; bound their cells. */
export const readCells = (executionId: string, scope: string, nodes: readonly number[]): Query => ({
  name: 'read_cells',
  text: 'select c.scope, c.node, c.name, c.value from cells c where c.execution_id = $1 and c.scope = $2 and c.node = any($3::int[]) order by c.node, c.name',
  values: [executionId, scope, plainValues(nodes)],
});

/** A list, by entry. Locks none; index the primary key of the partition; bound the list. */
export const readList = (executionId: string, scope: string, node: number, name: string): Query => ({
  name: 'read_list',
  text: 'select l.* from list_entries l where l.execution_id = $1 and l.scope = $2 and l.node = $3 and l.name = $4 order by l.entry',
  values: [executionId, scope, node, name],
});

/** The names of all lists of an execution. Locks none; index the primary key by execution; bound its lists' entries. */
export const readLists = (executionId: string): Query => ({
  name: 'read_lists',
  text: 'select l.* from list_entries l where l.execution_id = $1 order by l.scope, l.node, l.name, l.entry',
  values: [executionId],
});

/** How often each node has run, and the ends of lists, of an ended execution. Locks none; index primary keys; bound its history. */
export const readCounts = (executionId: string): Query => ({
  name: 'read_counts',
  text: `select 'f' as kind, r.scope, r.node, max(r.seq) + 1 as a, 0 as b, null as name from runs r where r.execution_id = $1 group by r.scope, r.node
    union all select 'l', l.scope, l.node, max(l.entry) + 1, max(l.first_item + l.item_count), l.name from list_entries l where l.execution_id = $1 group by l.scope, l.node, l.name`,
  values: [executionId],
});
