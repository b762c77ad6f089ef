import type { Resume } from '@app/engine';
import { activationKeys, keyColumns, sameRow, type ActivationAddress } from './activation-keys.ts';
import { DOUBLINGS } from '../../announcements.ts';
import { integer, RowSet, text, type Query } from './row-set.ts';

/** Whoever is answered with a ready activation announces it, so it counts as announced from here on: see `announceReady`. */
const awake = "status = 'r', ready_at = moment.at, announcement = a.announcement + 1, announced_at = moment.at, wakes = a.wakes + 1";
const announced = 'a.execution_id, a.scope, a.node, a.seq, a.announcement, a.queue, a.priority';

export interface WakeRow extends ActivationAddress {
  readonly resume: Resume;
}

const wakes = new RowSet<WakeRow>({ ...keyColumns, resume: text((row) => JSON.stringify(row.resume)) });

/**
 * Makes suspended activations ready.
 *
 * Locks   activations, by key.
 * Index   activations_pkey.
 * Bound   the batch.
 */
const WAKE = `
with moment as materialized (select argosy_now() as at)
update activations a set ${awake}, resume = k.resume
from ${wakes.from('k')}, moment where ${sameRow} and a.status = 'w'
returning ${announced}`;

export const wakeActivations = (rows: readonly WakeRow[]): Query => ({ name: 'wake_activations', text: WAKE, values: wakes.values(rows) });

/**
 * Wakes activations that have just been parked and whose signal was there before them. Text is glued, not parsed: the
 * payload is JSON already.
 *
 * Locks   signals, then activations; the heads are held, and whoever stores a signal holds them too.
 * Index   activations_pkey, signals_pkey.
 * Bound   the batch.
 */
const EARLY = `
with moment as materialized (select argosy_now() as at),
matched as (
  update signals s set consumed = true
  from ${activationKeys.from('k')} join activations w on w.execution_id = k.execution_id and w.scope = k.scope and w.row_node = k.node and w.row_seq = k.seq
  where s.execution_id = k.execution_id and s.key = w.wait_key and not s.consumed and w.status = 'w' and w.wait_kind <> 'c'
  returning k.execution_id, k.scope, k.node, k.seq, s.payload
)
update activations a set ${awake}, resume = '{"cause":"signal","payload":' || k.payload || '}'
from matched k, moment where ${sameRow}
returning ${announced}`;

export const wakeBySignal = (keys: readonly ActivationAddress[]): Query => ({ name: 'wake_by_signal', text: EARLY, values: activationKeys.values(keys) });

export interface ChildrenEnded extends ActivationAddress {
  readonly ended: number;
}

const children = new RowSet<ChildrenEnded>({ ...keyColumns, ended: integer((row) => row.ended) });

/**
 * Counts ended children off the activations that wait for them.
 *
 * Locks   activations of the parents, by key, behind the children's heads. Whoever holds such an activation never
 *         waits for a child's head.
 * Index   activations_pkey.
 * Bound   the executions that end with the batch.
 */
const COUNT = `update activations a set children_pending = a.children_pending - k.ended from ${children.from('k')} where ${sameRow} and a.wait_kind = 'c' and a.status = 'w'`;

export const countChildren = (rows: readonly ChildrenEnded[]): Query => ({ name: 'count_children', text: COUNT, values: children.values(rows) });

/** Wakes those of them that wait for nobody any more. Locks, index and bound as above. */
const DONE = `
with moment as materialized (select argosy_now() as at)
update activations a set ${awake}, resume = '{"cause":"children","payload":null}'
from ${activationKeys.from('k')}, moment where ${sameRow} and a.status = 'w' and a.wait_kind = 'c' and a.children_pending <= 0
returning ${announced}`;

export const wakeParents = (keys: readonly ActivationAddress[]): Query => ({ name: 'wake_parents', text: DONE, values: activationKeys.values(keys) });

/**
 * Makes suspended activations ready whose time has come.
 *
 * Locks   activations, skipping those that others hold.
 * Index   activations_due.
 * Bound   `limit`.
 */
const TIMERS = `
with moment as materialized (select argosy_now() as at),
k as materialized (
  select a.execution_id, a.scope, a.node, a.seq from activations a, moment
  where a.status = 'w' and a.due_at is not null and a.due_at <= moment.at
  order by a.due_at limit $1 for update of a skip locked
)
update activations a set ${awake}, resume = '{"cause":"time","payload":null}'
from k, moment where ${sameRow} and a.status = 'w'
returning ${announced}, a.wait_kind, a.due_at, a.started_at`;

export const fireTimers = (limit: number): Query => ({ name: 'fire_timers', text: TIMERS, values: [limit] });

/**
 * Counts an announcement of ready activations whose message is probably lost, or whose time has come without one: what
 * a commit made ready at once counts as announced by whoever committed. Nobody is told of suspects.
 *
 * While messages wait in the queue, one that nobody followed is more likely still among them than lost: each further
 * announcement then waits twice as long as the one before. Otherwise a backlog would be announced again and again, and
 * workers would drown in messages about what others have done.
 *
 * Locks   activations, skipping those that others hold.
 * Index   activations_announce, oldest first; activations_pkey.
 * Bound   four times `limit` are looked at, `limit` are taken.
 * The second look at the status must not suggest the index of all that is ready, hence its cast: see claim-activations.ts.
 */
const ANNOUNCE = `
with moment as materialized (select argosy_now() as at),
oldest as materialized (
  select a.execution_id, a.scope, a.row_node, a.row_seq from activations a, moment
  where a.status = 'r' and a.ready_at <= moment.at and a.losses < $3::smallint
  order by a.ready_at limit $1 * 4
),
k as materialized (
  select a.execution_id, a.scope, a.node, a.seq from oldest o join activations a using (execution_id, scope, row_node, row_seq), moment
  where a.status::text = 'r' and (a.announced_at is null or a.announced_at <= moment.at - $2::bigint * case when $4::boolean then 1 << least(a.announcement, ${DOUBLINGS}) else 1 end)
  limit $1 for update of a skip locked
)
update activations a set announcement = a.announcement + 1, announced_at = moment.at
from k, moment where ${sameRow} and a.status::text = 'r'
returning ${announced}`;

export const announceReady = (limit: number, olderThanMs: number, suspectAt: number, isQueueBusy: boolean): Query => ({
  name: 'announce_ready',
  text: ANNOUNCE,
  values: [limit, Math.floor(olderThanMs), suspectAt, String(isQueueBusy)],
});
