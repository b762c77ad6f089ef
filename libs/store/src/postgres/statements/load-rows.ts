import type { Need } from '@app/engine';
import { bigint, integer, plainValues, RowSet, text, type Query } from './row-set.ts';

/**
 * By default executions up to this many commits and open activations are loaded whole: reading their runs costs less
 * than asking twice.
 */
export const WHOLE_COMMITS = 200;

/** However large. */
export const EVERY = 2 ** 31 - 1;

/** Tokens of one slot that are loaded at a time: a step takes the first ones of a queue, and asks when it needs all. */
export const TOKENS_PER_SLOT = 100;
/** Queued firings that are loaded at a time. */
export const QUEUE_FRONT = 1_000;

// One shape for every kind of row: kind, execution, scope, node, seq, two numbers and a text.

/**
 * Everything the scheduler can ask for about small executions, so that one answer is enough.
 *
 * Locks   none; the heads are held, so nothing of this changes.
 * Index   the primary keys of all tables, by execution.
 * Bound   executions of at most so many commits, open activations and tokens together: larger ones are left out.
 */
const WHOLE = `
with e as materialized (select h.execution_id, h.queued from unnest($1::bigint[]) as i (execution_id) join execution_heads h using (execution_id) where h.commits + h.open + h.suspended + h.queued + h.root_held <= $2)
select 'f' as kind, f.execution_id, f.scope, f.node, 0 as seq, max(f.seq) + 1 as a, 0 as b, null as body from e, lateral (
    select r.execution_id, r.scope, r.node, r.seq from runs r where r.execution_id = e.execution_id
    union all select a.execution_id, a.scope, a.node, a.seq from activations a where a.execution_id = e.execution_id
    union all select d.execution_id, d.scope, d.node, d.seq from drivers d where d.execution_id = e.execution_id
  ) f group by f.execution_id, f.scope, f.node
union all select 't', t.execution_id, t.scope, t.node, t.slot, t.pos, t.live::int, t.token from e join tokens t using (execution_id)
union all select 's', s.execution_id, s.scope, 0, 0, 0, 0, s.state from e join scopes s using (execution_id)
union all select 'd', d.execution_id, d.scope, d.node, d.seq, 0, 0, d.state from e join drivers d using (execution_id)
union all select 'q', q.execution_id, '', 0, 0, q.position, 0, q.firing from e join queued_firings q using (execution_id)
union all select 'l', l.execution_id, l.scope, l.node, 0, max(l.entry) + 1, max(l.first_item + l.item_count), l.name from e join list_entries l using (execution_id) group by l.execution_id, l.scope, l.node, l.name
union all select 'w', e.execution_id, '', 0, 0, 0, 0, null from e`;

export const loadWhole = (executionIds: readonly string[], commits = WHOLE_COMMITS): Query => ({ name: 'load_whole', text: WHOLE, values: [plainValues(executionIds), commits] });

export interface RowNeed {
  readonly executionId: string;
  readonly need: Need;
}

const needs = new RowSet<RowNeed>({
  execution_id: bigint((row) => row.executionId),
  kind: text((row) => row.need.kind),
  scope: text((row) => ('scope' in row.need ? row.need.scope : '')),
  node: integer((row) => ('node' in row.need ? row.need.node : 0)),
  seq: integer((row) => ('seq' in row.need ? row.need.seq : 'edge' in row.need ? row.need.edge : 0)),
  name: text((row) => ('name' in row.need ? row.need.name : '')),
});

/** Tokens of one slot, oldest first, and one more to see whether there are more. */
const slots = (scope: string, node: string) => `lateral (
    with recursive s (slot) as (
      (select t.slot from tokens t where t.execution_id = n.execution_id and t.scope = ${scope} and t.node = ${node} order by t.slot limit 1)
      union all
      select (select t.slot from tokens t where t.execution_id = n.execution_id and t.scope = ${scope} and t.node = ${node} and t.slot > s.slot order by t.slot limit 1) from s where s.slot is not null
    )
    select t.* from s, lateral (
      select t.slot, t.pos, t.live, t.token from tokens t
      where t.execution_id = n.execution_id and t.scope = ${scope} and t.node = ${node} and t.slot = s.slot order by t.pos limit ${TOKENS_PER_SLOT + 1}
    ) t where s.slot is not null
  )`;

/**
 * Single rows that a step asked for.
 *
 * Locks   none; the heads are held.
 * Index   the primary keys; the last firing of a node and the end of a list are found from behind.
 * Bound   per need one row, or two tokens, or one node's first tokens (${TOKENS_PER_SLOT} per slot), or the front of the
 *         queue (${QUEUE_FRONT}). All tokens of a node only for a step that most likely takes them.
 * The token of an edge is the first one from there on, or there is none: asked for by equality, a plan from when there
 * were few tokens goes through all of the node's. Which of the two tokens it was the reader sees.
 */
const SOME = `
with n as materialized (select * from ${needs.from('i')})
select 'f' as kind, n.execution_id, n.scope, n.node, 0 as seq, greatest(
    (select r.seq from runs r where r.execution_id = n.execution_id and r.scope = n.scope and r.node = n.node order by r.seq desc limit 1),
    (select max(a.seq) from activations a where a.execution_id = n.execution_id and a.scope = n.scope and a.node = n.node),
    (select d.seq from drivers d where d.execution_id = n.execution_id and d.scope = n.scope and d.node = n.node order by d.seq desc limit 1), -1) + 1 as a, 0 as b, null as body
  from n where n.kind = 'fired'
union all select 't', n.execution_id, n.scope, n.node, t.slot, t.pos, t.live::int, t.token from n, ${slots('n.scope', 'n.node')} t where n.kind = 'tokens'
union all select 't', t.execution_id, t.scope, t.node, t.slot, t.pos, t.live::int, t.token from n join tokens t using (execution_id, scope, node) where n.kind = 'allTokens'
union all select 'a', n.execution_id, n.scope, n.node, t.slot, t.pos, t.live::int, t.token from n, lateral (
    (select t.slot, t.pos, t.live, t.token from tokens t where t.execution_id = n.execution_id and t.scope = n.scope and t.node = n.node and t.edge >= n.seq order by t.edge limit 1)
    union all
    (select t.slot, t.pos, t.live, t.token from tokens t where t.execution_id = n.execution_id and t.scope = n.scope and t.node = n.node and t.edge is not null order by t.pos desc limit 1)
  ) t where n.kind = 'arrival'
union all select 't', n.execution_id, n.scope, w.node, t.slot, t.pos, t.live::int, t.token from n, lateral (
    with recursive w (node) as (
      (select t.node from tokens t where t.execution_id = n.execution_id and t.scope = n.scope order by t.node limit 1)
      union all
      select (select t.node from tokens t where t.execution_id = n.execution_id and t.scope = n.scope and t.node > w.node order by t.node limit 1) from w where w.node is not null
    ) select w.node from w where w.node is not null
  ) w, ${slots('n.scope', 'w.node')} t where n.kind = 'waiting'
union all select 's', s.execution_id, s.scope, 0, 0, 0, 0, s.state from n join scopes s using (execution_id, scope) where n.kind = 'scope'
union all select 'd', d.execution_id, d.scope, d.node, d.seq, 0, 0, d.state from n join drivers d using (execution_id, scope, node, seq) where n.kind = 'driver'
union all select 'q', n.execution_id, '', 0, 0, q.position, 0, q.firing from n, lateral (
    select q.position, q.firing from queued_firings q where q.execution_id = n.execution_id order by q.position limit ${QUEUE_FRONT}
  ) q where n.kind = 'queue'
union all select 'l', n.execution_id, n.scope, n.node, 0, l.entry + 1, l.first_item + l.item_count, n.name from n, lateral (
    select l.entry, l.first_item, l.item_count from list_entries l
    where l.execution_id = n.execution_id and l.scope = n.scope and l.node = n.node and l.name = n.name order by l.entry desc limit 1
  ) l where n.kind = 'list'`;

export const loadSome = (rows: readonly RowNeed[]): Query => ({ name: 'load_some', text: SOME, values: needs.values(rows) });
