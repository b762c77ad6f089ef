import { applyTransition, ROOT, type Snapshot, type Transition } from '@app/engine';
import type { CommitResult, ReadyActivation } from '../records.ts';
import type { HeldActivation, Hold } from './activation-row.ts';
import type { CommitEntry } from './commit-entry.ts';
import { BEGIN, COMMIT } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { continuation, continued, leaseFor } from './continuation.ts';
import type { PayloadCache } from './payload-cache.ts';
import { packRemains } from './remains.ts';
import { commitChain, fenceHeads, type Fence } from './statements/commit-chain.ts';
import { StepWrites } from './step-writes.ts';
import type { StoreClock } from './store-clock.ts';
import type { WorkerNumbers } from './worker-numbers.ts';

/** A step decided before any I/O. */
export interface FastPlan {
  readonly entry: CommitEntry;
  readonly held: HeldActivation & { readonly hold: Hold };
  readonly transition: Transition;
  readonly after: Snapshot;
  readonly now: number;
  readonly fence: Fence;
  /** No more than runs, successors and an end: fits the one statement. */
  readonly plain: boolean;
  readonly ready: ReadyActivation[];
}

export type FastAnswer = { readonly plan: FastPlan; readonly result: CommitResult } | { readonly plan: FastPlan; readonly moved: true };

/**
 * Commits of workers that know their executions completely. The step is decided first and written in one round trip,
 * under the condition that the execution is still at the version it was decided for.
 */
export class FastCommit {
  constructor(private readonly parts: { readonly pool: ConnectionPool; readonly clock: StoreClock; readonly workers: WorkerNumbers; readonly cache: PayloadCache }) {}

  /** null: not possible without reading. */
  plan(entry: CommitEntry): FastPlan | 'fenced' | null {
    const { activation, options, decide } = entry;
    const { snapshot, hold } = activation;
    if (!hold || !snapshot?.complete || options.staticData?.length || options.customData || options.children?.length) return null;
    const now = this.parts.clock.now();
    const transition = decide(snapshot, now);
    if (transition.kind === 'incomplete') return null;
    if (transition.kind === 'unchanged') return 'fenced';
    const after = applyTransition(snapshot, transition);
    // What an end leaves behind or whom it concerns has to be read.
    if (transition.end && (!hold.plainEnd || after.execution.suspended > 0 || transition.reopened)) return null;
    const fence = { executionId: activation.executionId, atCommits: snapshot.execution.commits, atEpoch: hold.epoch };
    return { entry, held: { ...activation, hold }, transition, after, now, fence, plain: isPlain(transition), ready: [] };
  }

  /** Plain steps in one statement: each execution stands or falls for itself. */
  async commitPlain(plans: readonly FastPlan[]): Promise<FastAnswer[]> {
    const writes = this.writes(plans);
    const { rows } = await this.parts.pool.ask(commitChain(writes.chain(plans.map((plan) => plan.fence))));
    const passed = new Set(rows.map((row) => row['execution_id'] as string));
    const at = rows.length > 0 ? Number(rows[0]!['at']) : this.parts.clock.now();
    if (rows.length > 0) this.parts.clock.observe(at);
    writes.remember(this.parts.cache, passed);
    return plans.map((plan) => (passed.has(plan.fence.executionId) ? { plan, result: resultOf(plan, at) } : { plan, moved: true }));
  }

  /** All or nothing: throws AR001 when one of the executions has moved on. */
  async commitAll(plans: readonly FastPlan[]): Promise<FastAnswer[]> {
    const writes = this.writes(plans);
    const list = writes.writes();
    const fences = plans.map((plan) => plan.fence);
    const answers = await this.parts.pool.send([BEGIN, fenceHeads(fences), ...list.map(({ query }) => query), COMMIT]);
    const at = Number(answers[1]!.rows[0]!['at']);
    this.parts.clock.observe(at);
    list.forEach(({ heard }, index) => heard?.(answers[index + 2]!));
    writes.remember(this.parts.cache);
    return plans.map((plan) => ({ plan, result: resultOf(plan, at) }));
  }

  private writes(plans: readonly FastPlan[]): StepWrites {
    const writes = new StepWrites();
    for (const { entry, held, transition, after, now, ready } of plans) {
      const { options } = entry;
      ready.length = 0;
      const next = continuation(transition, now, options);
      writes.step({
        executionId: held.executionId,
        transition,
        after,
        now,
        place: { queue: held.queue, priority: held.priority },
        settled: held,
        options,
        workerNumber: this.parts.workers.of(options.worker) ?? null,
        lease: next && leaseFor(held, options),
        ready,
      });
      if (!transition.end) continue;
      const { commits, spent, warnings } = after.execution;
      writes.end({ executionId: held.executionId, end: transition.end, startedAt: Math.round(options.startedAt), commits, spent, warnings, remains: packRemains(after, []) });
    }
    return writes;
  }
}

/** The answer to a plan that was committed at a time. */
export function resultOf({ entry, held, transition, after, now, ready }: FastPlan, at: number): CommitResult {
  const next = continuation(transition, now, entry.options);
  return {
    kind: 'committed',
    ready,
    next: next && continued(held, next, after, at, entry.options.leaseMs, { ...held.hold, commits: after.execution.commits }),
    ended: transition.end?.status ?? null,
  };
}

function isPlain(transition: Transition): boolean {
  const { reopened, woken, scopes, closedScopes, tokensPut, tokensTaken, queued, unqueued, drivers, closedDrivers, cells, appends } = transition;
  return (
    !reopened &&
    scopes.every(({ scope }) => scope === ROOT) &&
    woken.length + closedScopes.length + tokensPut.length + tokensTaken.length + queued.length + unqueued.length + drivers.length + closedDrivers.length + cells.length + appends.length === 0
  );
}

