import type { HeadState } from '../head-row.ts';
import { activationKeys, type ActivationAddress } from './activation-keys.ts';
import { endAssignments, ends, type EndRow } from './end-executions.ts';
import { activationSource, activationTarget, newActivations, type NewActivationRow } from './insert-activations.ts';
import { newRuns, type RunRow } from './insert-runs.ts';
import { bigint, integer, RowSet, type Query } from './row-set.ts';
import { headAssignments, heads } from './update-heads.ts';
import { newChunks } from './write-rows.ts';
import type { Chunk } from '../payload.ts';

/** The version at which a step was decided. */
export interface Fence {
  readonly executionId: string;
  readonly atCommits: number;
  readonly atEpoch: number;
}

const fences = new RowSet<Fence>({
  execution_id: bigint((row) => row.executionId),
  at_commits: integer((row) => row.atCommits),
  at_epoch: integer((row) => row.atEpoch),
});

export interface Chain {
  /** One per execution. */
  readonly fences: readonly Fence[];
  /** Of those that go on. */
  readonly heads: readonly HeadState[];
  /** Of those that end. */
  readonly ends: readonly EndRow[];
  readonly closed: readonly ActivationAddress[];
  readonly created: readonly NewActivationRow[];
  readonly runs: readonly RunRow[];
  readonly chunks: readonly (ActivationAddress & Chunk)[];
}

const sets = [fences, heads, ends, activationKeys, newActivations, newRuns, newChunks] as const;
const [AT, HEAD, END, KEY, NEW, RUN, CHUNK] = sets.map((_, index) => 1 + sets.slice(0, index).reduce((sum, set) => sum + set.size, 0)) as [number, number, number, number, number, number, number];
const same = 'a.execution_id = k.execution_id and a.scope = k.scope and a.node = k.node and a.seq = k.seq';

/**
 * The steps of many executions in one statement, which is a transaction by itself: the commonest step of all, one run
 * and at most some successors, decided by a worker that knows the whole execution. Each execution stands or falls by
 * its own fence: where commits or epoch have moved on, nothing of it is written. Answers the executions that passed.
 *
 * The fence needs no look at the lease: a lease that is taken away raises the epoch.
 *
 * Locks   execution_heads in the order given (by id), then activations by key.
 * Index   execution_heads_pkey, activations_pkey, the partitions' primary keys.
 * Bound   the batch.
 */
const TEXT = `
with moment as materialized (select argosy_now() as at),
fence as materialized (select * from ${fences.from('f', AT)}),
moved as (
  update execution_heads h set ${headAssignments('e')}
  from ${heads.from('e', HEAD)} join fence f using (execution_id)
  where h.execution_id = e.execution_id and h.commits = f.at_commits and h.epoch = f.at_epoch
  returning h.execution_id
),
ending as materialized (select * from ${ends.from('e', END)}),
gone as (
  delete from execution_heads h using ending e join fence f using (execution_id)
  where h.execution_id = e.execution_id and h.commits = f.at_commits and h.epoch = f.at_epoch
  returning h.execution_id, h.started_at
),
ended as (
  update executions x set ${endAssignments.replace('coalesce(e.started_at, moment.at)', 'coalesce(g.started_at, e.started_at, moment.at)')}
  from gone g join ending e using (execution_id), moment
  where x.execution_id = g.execution_id
),
unheard as (delete from signals s using gone g where s.execution_id = g.execution_id),
passed as materialized (select execution_id from moved union all select execution_id from gone),
closed as (
  delete from activations a using ${activationKeys.from('k', KEY)}
  where ${same} and k.execution_id in (select execution_id from passed)
),
created as (
  insert into activations (${activationTarget})
  select ${activationSource} from ${newActivations.from('n', NEW)}, moment
  where n.execution_id in (select execution_id from passed)
),
ran as (
  insert into runs (${newRuns.list()})
  select ${newRuns.list('r.')} from ${newRuns.from('r', RUN)}
  where r.execution_id in (select execution_id from passed)
),
wrote as (
  insert into outputs (${newChunks.list()})
  select ${newChunks.list('o.')} from ${newChunks.from('o', CHUNK)}
  where o.execution_id in (select execution_id from passed)
)
select execution_id, moment.at from passed, moment`;

export const commitChain = (chain: Chain): Query => ({
  name: 'commit_chain',
  text: TEXT,
  values: [
    ...fences.values(chain.fences),
    ...heads.values(chain.heads),
    ...ends.values(chain.ends),
    ...activationKeys.values(chain.closed),
    ...newActivations.values(chain.created),
    ...newRuns.values(chain.runs),
    ...newChunks.values(chain.chunks),
  ],
});

/**
 * The same fence for steps that write more than this: locks the heads and fails as a whole when one has moved on.
 *
 * Locks   execution_heads, by id.
 * Index   execution_heads_pkey.
 * Bound   the batch.
 */
export const fenceHeads = (rows: readonly Fence[]): Query => ({
  name: 'fence_heads',
  text: 'select argosy_fence($1::bigint[], $2::integer[], $3::integer[]), argosy_now() as at',
  values: fences.values(rows),
});
