import type { Query } from './row-set.ts';

/**
 * The number of a worker's name; made when it is new.
 *
 * Locks   worker_names, one row.
 * Index   worker_names_name_key.
 * Bound   one name; a process asks once.
 */
const TEXT = `
with made as (insert into worker_names (name) values ($1) on conflict (name) do nothing returning id)
select id from made union all select id from worker_names where name = $1 limit 1`;

export const workerNumber = (name: string): Query => ({ name: 'worker_number', text: TEXT, values: [name] });
