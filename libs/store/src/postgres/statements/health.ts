import type { Query } from './row-set.ts';

export const readClock: Query = { name: 'read_clock', text: 'select argosy_now() as at', values: [] };

/** How much is ready and for how long. Locks none; index activations_announce; bound: counts up to 10,000. */
export const readyBacklog: Query = {
  name: 'ready_backlog',
  text: `select (select count(*) from (select from activations where status = 'r' and ready_at <= (select argosy_now()) limit 10000) r) as depth,
    (select argosy_now()) - (select a.ready_at from activations a where a.status = 'r' order by a.ready_at limit 1) as oldest`,
  values: [],
};

/** Moves the store's clock. For tests only. */
export const shiftClock = (ms: number): Query => ({ name: 'shift_clock', text: 'update clock set shift_ms = shift_ms + $1', values: [Math.round(ms)] });

/** Makes the partitions of the coming weeks. Locks the partitioned tables for a moment when one is missing. */
export const makePartitions = (weeksAhead: number): Query => ({ name: 'make_partitions', text: 'select argosy_make_partitions($1) as made', values: [weeksAhead] });

/** The migrations that were applied completely. */
export const appliedMigrations: Query = { name: 'applied_migrations', text: 'select migration_name, checksum from _prisma_migrations where finished_at is not null and rolled_back_at is null', values: [] };
