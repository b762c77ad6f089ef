import { applyTransition, ROOT, sameActivation, type NewActivation, type Snapshot, type Transition } from '@app/engine';
import type { CommitResult, ReadyActivation } from '../records.ts';
import type { HeldActivation, Hold } from './activation-row.ts';
import { addressOf, type CommitEntry } from './commit-entry.ts';
import { BEGIN, COMMIT, type Answer } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { continuation, continued, leaseFor } from './continuation.ts';
import { failureOf } from './failure.ts';
import { packRoot, sizeOf } from './head-row.ts';
import { layOut, type Payload } from './payload.ts';
import { payloadKey, type PayloadCache } from './payload-cache.ts';
import { packRemains } from './remains.ts';
import { commitChain, fenceHeads, type Fence } from './statements/commit-chain.ts';
import { commitLinks, type Link } from './statements/commit-links.ts';
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
  readonly next: NewActivation | null;
  /**
   * link   one run and its only successor, on the same worker: changes two rows and writes one
   * chain  runs, successors, an end
   * rich   whatever there is
   */
  readonly kind: 'link' | 'chain' | 'rich';
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
    const next = continuation(transition, now, options);
    const kind = !isChain(transition) ? 'rich' : next && isLink(entry, transition, snapshot, after, next) ? 'link' : 'chain';
    return { entry, held: { ...activation, hold }, transition, after, now, fence, next, kind, ready: [] };
  }

  /** Each execution stands or falls for itself. */
  async commitLinks(plans: readonly FastPlan[]): Promise<FastAnswer[]> {
    // A payload that needs chunks makes a link a chain; its items are laid down only once.
    const payloads = new Map(plans.map((plan) => [plan, layOut(plan.transition.runs[0]!.outputs)]));
    const large = plans.filter((plan) => payloads.get(plan)!.chunks.length > 0);
    const small = plans.filter((plan) => payloads.get(plan)!.chunks.length === 0).sort(byFence);
    const sent = await Promise.allSettled([small.length > 0 ? this.sendLinks(small, payloads) : [], large.length > 0 ? this.commitChains(large) : []]);
    // One statement may have been committed although the other failed: its plans must not be decided again.
    const failures = sent.flatMap((half) => (half.status === 'rejected' ? [half.reason as unknown] : []));
    if (failures.length === sent.length || failures.some((error) => failureOf(error) === 'lost')) throw failures[0];
    return sent.flatMap((half) => (half.status === 'fulfilled' ? half.value : []));
  }

  private async sendLinks(plans: readonly FastPlan[], payloads: ReadonlyMap<FastPlan, Payload>): Promise<FastAnswer[]> {
    const answer = await this.parts.pool.ask(commitLinks(plans.map((plan) => this.link(plan, payloads.get(plan)!))));
    return this.heard(plans, answer, (plan) => {
      const { scope, node, seq } = plan.held;
      for (const { port, text } of payloads.get(plan)!.texts) this.parts.cache.set(payloadKey(plan.fence.executionId, scope, node, seq, port), text);
    });
  }

  private link(plan: FastPlan, payload: Payload): Link {
    const { fence, held, transition, after, entry, next } = plan;
    const { startedAt, finishedAt, worker, leaseMs } = entry.options;
    const { readyAt: _, seq, ...firing } = next!;
    const run = { ...transition.runs[0]!, cause: held.cause, executionId: fence.executionId, payload: payload.inline, logs: [], startedAt, finishedAt, worker: this.parts.workers.of(worker) ?? null };
    return { ...fence, row: addressOf(held), run, next: { node: firing.node, seq, firing }, counters: after.execution, worker, leaseMs: this.keepsLease(plan) ? null : Math.ceil(leaseMs) };
  }

  /** With half of its time to go a lease is not renewed: it is in an index, and the keeper renews it anyway. */
  private keepsLease({ held, entry, now, kind }: FastPlan): boolean {
    return kind === 'link' && held.leaseUntil - now > entry.options.leaseMs / 2;
  }

  /** Each execution stands or falls for itself. */
  async commitChains(plans: readonly FastPlan[]): Promise<FastAnswer[]> {
    const writes = this.writes(plans);
    const answer = await this.parts.pool.ask(commitChain(writes.chain(plans.map((plan) => plan.fence))));
    writes.remember(this.parts.cache, new Set(answer.rows.map((row) => row['execution_id'] as string)));
    return this.heard(plans.map((plan) => ({ ...plan, kind: 'chain' })), answer, () => {}, plans);
  }

  /** All or nothing: throws AR001 when one of the executions has moved on. */
  async commitRich(plans: readonly FastPlan[]): Promise<FastAnswer[]> {
    const writes = this.writes(plans);
    const list = writes.writes();
    const fences = plans.map((plan) => plan.fence);
    const answers = await this.parts.pool.send([BEGIN, fenceHeads(fences), ...list.map(({ query }) => query), COMMIT]);
    const at = Number(answers[1]!.rows[0]!['at']);
    this.parts.clock.observe(at);
    list.forEach(({ heard }, index) => heard?.(answers[index + 2]!));
    writes.remember(this.parts.cache);
    return plans.map((plan) => ({ plan, result: this.resultOf(plan, at) }));
  }

  private heard(plans: readonly FastPlan[], { rows }: Answer, passed: (plan: FastPlan) => void, originals: readonly FastPlan[] = plans): FastAnswer[] {
    const executions = new Set(rows.map((row) => row['execution_id'] as string));
    const at = rows.length > 0 ? Number(rows[0]!['at']) : this.parts.clock.now();
    if (rows.length > 0) this.parts.clock.observe(at);
    return plans.map((plan, index): FastAnswer => {
      const original = originals[index]!;
      if (!executions.has(plan.fence.executionId)) return { plan: original, moved: true };
      passed(plan);
      return { plan: original, result: this.resultOf(plan, at) };
    });
  }

  private writes(plans: readonly FastPlan[]): StepWrites {
    const writes = new StepWrites();
    for (const { entry, held, transition, after, now, next, ready } of plans) {
      const { options } = entry;
      ready.length = 0;
      writes.step({
        executionId: held.executionId,
        transition,
        after,
        now,
        place: { queue: held.queue, priority: held.priority },
        settled: { scope: held.scope, node: held.node, seq: held.seq, attempt: held.attempt, losses: held.losses, readyAt: held.readyAt, row: addressOf(held) },
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

  /** The answer to a plan that was committed at a time. */
  resultOf(plan: FastPlan, at: number): CommitResult {
    const { entry, held, transition, after, ready, next, kind } = plan;
    const row = kind === 'link' ? { rowNode: held.hold.rowNode, rowSeq: held.hold.rowSeq } : { rowNode: next?.node ?? 0, rowSeq: next?.seq ?? 0 };
    const leaseUntil = this.keepsLease(plan) ? held.leaseUntil : at + Math.ceil(entry.options.leaseMs);
    return {
      kind: 'committed',
      ready,
      next: next && continued(held, next, after, at, leaseUntil, { ...held.hold, ...row, commits: after.execution.commits, size: sizeOf(after.execution, after.scopes.get(ROOT)!) }),
      ended: transition.end?.status ?? null,
    };
  }
}

function isChain(transition: Transition): boolean {
  const { reopened, woken, scopes, closedScopes, tokensPut, tokensTaken, queued, unqueued, drivers, closedDrivers, cells, appends } = transition;
  return (
    !reopened &&
    scopes.every(({ scope }) => scope === ROOT) &&
    woken.length + closedScopes.length + tokensPut.length + tokensTaken.length + queued.length + unqueued.length + drivers.length + closedDrivers.length + cells.length + appends.length === 0
  );
}

/** Of the head nothing changes but what counts upwards, and the successor takes the place of what settled. */
function isLink({ activation, options }: CommitEntry, { closed, runs }: Transition, before: Snapshot, after: Snapshot, next: NewActivation): boolean {
  const [run] = runs;
  const [a, b] = [before.execution, after.execution];
  const [r, s] = [before.scopes.get(ROOT)!, after.scopes.get(ROOT)!];
  return (
    runs.length === 1 &&
    run!.status === 'done' &&
    run!.error === null &&
    run!.stream.length === 0 &&
    !options.logs?.length &&
    closed !== null &&
    sameActivation(closed, activation) &&
    sameActivation(run!, activation) &&
    !activation.wasSuspended &&
    activation.resume === null &&
    next.scope === activation.scope &&
    next.phase === undefined &&
    next.arguments === undefined &&
    activation.phase === undefined &&
    activation.arguments === undefined &&
    (a.status === b.status && a.open === b.open && a.suspended === b.suspended && a.queued === b.queued) &&
    a.ending === b.ending &&
    a.warnings.length === b.warnings.length &&
    r.open === s.open &&
    r.suspended === s.suspended &&
    r.held === s.held &&
    packRoot(r) === packRoot(s)
  );
}

const byFence = (a: FastPlan, b: FastPlan): number => a.fence.executionId.length - b.fence.executionId.length || (a.fence.executionId < b.fence.executionId ? -1 : 1);
