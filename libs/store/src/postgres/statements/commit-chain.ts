import { headColumns, type HeadState } from '../head-row.ts';
import type { Chunk } from '../payload.ts';
import { activationKeys, sameRow, type ActivationAddress } from './activation-keys.ts';
import { endAssignments, endColumns, type EndRow } from './end-executions.ts';
import { activationSource, activationTarget, newActivations, type NewActivationRow } from './insert-activations.ts';
import { newRuns, type RunRow } from './insert-runs.ts';
import { bigint, integer, RowSet, type Query } from './row-set.ts';
import { headAssignments } from './update-heads.ts';
import { newChunks } from './write-rows.ts';

/** The version at which a step was decided. */
export interface Fence {
  readonly executionId: string;
  readonly atCommits: number;
  readonly atEpoch: number;
}

const fenceColumns = {
  execution_id: bigint<Fence>((row) => row.executionId),
  at_commits: integer<Fence>((row) => row.atCommits),
  at_epoch: integer<Fence>((row) => row.atEpoch),
};
const fences = new RowSet<Fence>(fenceColumns);
const fencedHeads = new RowSet<HeadState & Fence>({ ...headColumns, ...fenceColumns });
const fencedEnds = new RowSet<EndRow & Fence>({ ...endColumns, ...fenceColumns });

export interface Chain {
  /** Of executions that go on; one each. */
  readonly heads: readonly (HeadState & Fence)[];
  /** Of executions that end. */
  readonly ends: readonly (EndRow & Fence)[];
  readonly closed: readonly ActivationAddress[];
  readonly created: readonly NewActivationRow[];
  readonly runs: readonly RunRow[];
  readonly chunks: readonly (ActivationAddress & Chunk)[];
}

const endNames = Object.keys(endColumns).filter((name) => name !== 'execution_id' && name !== 'started_at');

type Part = 'heads' | 'ends' | 'chunks';

const passing = (alias: string) => `${alias}.execution_id = any (array(select execution_id from passed))`;

/**
 * The steps of many executions in one statement, which is a transaction by itself: the commonest step of all, one run
 * and at most some successors, decided by a worker that knows the whole execution. Each execution stands or falls by
 * its own fence: where commits or epoch have moved on, nothing of it is written. Answers the executions that passed.
 *
 * The fence needs no look at the lease: a lease that is taken away raises the epoch. Parts that a batch does not need
 * are left out, since setting up a part costs more than most batches.
 *
 * Locks   execution_heads in the order given (by id), then activations by key.
 * Index   execution_heads_pkey, activations_pkey, the partitions' primary keys.
 * Bound   the batch.
 */
function textOf(parts: ReadonlySet<Part>): string {
  let parameter = 1;
  const from = (set: { readonly size: number; from(alias: string, first: number): string }, alias: string): string => {
    const text = set.from(alias, parameter);
    parameter += set.size;
    return text;
  };
  const common = ['with moment as materialized (select argosy_now() as at)'];
  if (parts.has('heads')) {
    common.push(`moved as (
  update execution_heads h set ${headAssignments('e')} from ${from(fencedHeads, 'e')}
  where h.execution_id = e.execution_id and h.commits = e.at_commits and h.epoch = e.at_epoch
  returning h.execution_id
)`);
  }
  if (parts.has('ends')) {
    common.push(`ending as materialized (select * from ${from(fencedEnds, 'f')})`, `gone as (
  delete from execution_heads h using ending e
  where h.execution_id = e.execution_id and h.commits = e.at_commits and h.epoch = e.at_epoch
  returning h.execution_id, coalesce(h.started_at, e.started_at) as began, ${endNames.map((name) => `e.${name}`).join(', ')}
)`, `ended as (
  update executions x set ${endAssignments.replace('e.started_at', 'e.began')} from gone e, moment where x.execution_id = e.execution_id
)`, 'unheard as (delete from signals s using gone g where s.execution_id = g.execution_id)');
  }
  const passed = [...(parts.has('heads') ? ['select execution_id from moved'] : []), ...(parts.has('ends') ? ['select execution_id from gone'] : [])];
  common.push(`passed as materialized (${passed.join(' union all ')})`, `closed as (
  delete from activations a using ${from(activationKeys, 'k')}
  where ${sameRow} and ${passing('k')}
)`);
  if (parts.has('heads')) common.push(`created as (insert into activations (${activationTarget}) select ${activationSource} from ${from(newActivations, 'n')}, moment where ${passing('n')})`);
  common.push(`ran as (insert into runs (${newRuns.list()}) select ${newRuns.list('r.')} from ${from(newRuns, 'r')} where ${passing('r')})`);
  if (parts.has('chunks')) common.push(`wrote as (insert into outputs (${newChunks.list()}) select ${newChunks.list('o.')} from ${from(newChunks, 'o')} where ${passing('o')})`);
  return `${common.join(',\n')}\nselect execution_id, moment.at from passed, moment`;
}

const TEXTS = new Map(
  (['heads', 'ends', 'heads ends', 'heads chunks', 'ends chunks', 'heads ends chunks'] as const).map((parts) => [parts as string, textOf(new Set(parts.split(' ') as Part[]))]),
);

export function commitChain({ heads, ends, closed, created, runs, chunks }: Chain): Query {
  const parts = [...(heads.length > 0 ? ['heads'] : []), ...(ends.length > 0 ? ['ends'] : []), ...(chunks.length > 0 ? ['chunks'] : [])].join(' ');
  return {
    name: `commit_chain ${parts}`,
    text: TEXTS.get(parts)!,
    values: [
      ...(heads.length > 0 ? fencedHeads.values(heads) : []),
      ...(ends.length > 0 ? fencedEnds.values(ends) : []),
      ...activationKeys.values(closed),
      ...(heads.length > 0 ? newActivations.values(created) : []),
      ...newRuns.values(runs),
      ...(chunks.length > 0 ? newChunks.values(chunks) : []),
    ],
  };
}

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
