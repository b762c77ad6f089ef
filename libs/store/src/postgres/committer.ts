import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable, Unwritable } from '../errors.ts';
import type { CommitResult } from '../records.ts';
import { idOf } from './activation-row.ts';
import type { Outcome } from './batcher.ts';
import { addressOf, FENCED, type CommitEntry } from './commit-entry.ts';
import type { Row } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { failureOf, isOfContent } from './failure.ts';
import type { FastAnswer, FastCommit, FastPlan } from './fast-commit.ts';
import type { SlowAnswer, SlowCommit } from './slow-commit.ts';
import { findOutcome } from './statements/find-outcome.ts';
import type { StoreClock } from './store-clock.ts';
import type { WorkerNumbers } from './worker-numbers.ts';

/** An entry of a batch until it has its outcome. */
interface Pending {
  readonly entry: CommitEntry;
  /** What was sent last: the answer, should it turn out to have been committed. */
  planned: CommitResult | null;
  outcome: Outcome<CommitResult> | null;
}

/**
 * Brings one batch of commits to its end: the fast way where a plan exists, the slow way for the rest and for whatever
 * the fast way refused. A commit whose answer got lost is looked up, never assumed.
 */
export class Committer {
  constructor(
    private readonly parts: {
      readonly pool: ConnectionPool;
      readonly fast: FastCommit;
      readonly slow: SlowCommit;
      readonly clock: StoreClock;
      readonly workers: WorkerNumbers;
      /** How long commits wait for a database that is gone. */
      readonly patienceMs: number;
    },
  ) {}

  async run(entries: readonly CommitEntry[]): Promise<Outcome<CommitResult>[]> {
    const deadline = performance.now() + this.parts.patienceMs;
    const pending = entries.map((entry): Pending => ({ entry, planned: null, outcome: null }));
    try {
      await this.persist(deadline, 'learn a worker\'s number', () => this.parts.workers.learn(entries.map(({ options }) => options.worker)));
      const { fast } = this.parts;
      const plans = this.plan(pending);
      await Promise.all([
        this.runFast(plans.link, deadline, (list) => fast.commitLinks(list)),
        this.runFast(plans.chain, deadline, (list) => fast.commitChains(list)),
        this.runFast(plans.rich, deadline, (list) => fast.commitRich(list)),
        this.runSlow(pending.filter(({ outcome, planned }) => !outcome && !planned), deadline),
      ]);
      await this.runSlow(pending.filter(({ outcome }) => !outcome), deadline);
    } catch (error) {
      for (const entry of pending) entry.outcome ??= { error };
    }
    return pending.map(({ outcome }) => outcome!);
  }

  private plan(pending: readonly Pending[]): { readonly [kind in FastPlan['kind']]: Map<FastPlan, Pending> } {
    const plans = { link: new Map<FastPlan, Pending>(), chain: new Map<FastPlan, Pending>(), rich: new Map<FastPlan, Pending>() };
    const executions = new Set<string>();
    for (const item of pending) {
      // Two steps of one execution cannot both be decided for the same version.
      if (executions.has(item.entry.activation.executionId)) continue;
      try {
        const plan = this.parts.fast.plan(item.entry);
        if (plan === 'fenced') item.outcome = { result: FENCED };
        if (plan === 'fenced' || plan === null) continue;
        executions.add(plan.fence.executionId);
        item.planned = FENCED;
        plans[plan.kind].set(plan, item);
      } catch {
        // The slow way decides anew, and knows whose fault it is.
      }
    }
    return plans;
  }

  private async runFast(plans: ReadonlyMap<FastPlan, Pending>, deadline: number, commit: (plans: readonly FastPlan[]) => Promise<FastAnswer[]>): Promise<void> {
    if (plans.size === 0) return;
    try {
      for (const answer of await commit([...plans.keys()])) if ('result' in answer) plans.get(answer.plan)!.outcome = { result: answer.result };
    } catch (error) {
      // Whatever it was, the slow way reads before it writes; only a lost answer must be looked for first.
      if (failureOf(error) !== 'lost') return;
      for (const [plan, item] of plans) item.planned = this.parts.fast.resultOf(plan, this.parts.clock.now());
      await this.lookUp([...plans.values()], deadline);
    }
  }

  private async runSlow(pending: readonly Pending[], deadline: number): Promise<void> {
    for (let open = pending, round = 0; open.length > 0; open = open.filter(({ outcome }) => !outcome), round++) {
      try {
        const answers = await this.parts.slow.commit(open.map(({ entry }) => entry), (planned) => planned.forEach((answer, index) => void (open[index]!.planned = 'result' in answer && answer.result !== FENCED ? answer.result : null)));
        answers.forEach((answer, index) => this.take(open[index]!, answer));
      } catch (error) {
        const failure = failureOf(error);
        if (failure === 'lost') {
          this.checkPatience(deadline, error);
          await sleep(Math.min(1_000, 20 * 2 ** Math.min(round, 6)));
          await this.lookUp(open, deadline);
        } else if (failure === 'fatal' && open.length > 1) {
          // One entry that cannot be written must not take the others with it.
          for (const item of open) await this.runSlow([item], deadline);
        } else if (failure === 'fatal' || round > 20) open[0]!.outcome = failed(error);
      }
    }
  }

  private take(item: Pending, answer: SlowAnswer): void {
    if ('error' in answer) item.outcome = failed(answer.error);
    else if ('result' in answer) item.outcome = { result: answer.result };
  }

  /** Reads what became of commits whose answer was lost. Those that did not happen stay pending. */
  private async lookUp(pending: readonly Pending[], deadline: number): Promise<void> {
    const { rows } = await this.persist(deadline, 'look up commits whose answer was lost', () => this.parts.pool.ask(findOutcome(pending.map(({ entry: { activation } }) => ({ executionId: activation.executionId, scope: activation.scope, node: activation.node, seq: activation.seq, row: addressOf(activation) })))));
    const found = new Map(rows.map((row) => [idOf(row), row]));
    for (const item of pending) {
      const fate = fateOf(item.entry, found.get(item.entry.activation.id)!);
      if (fate === 'committed' && item.planned) item.outcome = { result: item.planned };
      else if (fate === 'lost' || fate === 'committed') item.outcome = { result: FENCED };
    }
  }

  private async persist<T>(deadline: number, doing: string, work: () => Promise<T>): Promise<T> {
    for (let round = 0; ; round++) {
      try {
        return await work();
      } catch (error) {
        if (failureOf(error) !== 'lost') throw error;
        this.checkPatience(deadline, error, doing);
        await sleep(Math.min(1_000, 20 * 2 ** Math.min(round, 6)));
      }
    }
  }

  private checkPatience(deadline: number, cause: unknown, doing = 'commit a step'): void {
    if (performance.now() > deadline) throw new StoreUnavailable(doing, cause);
  }
}

/** Of one entry alone. */
function failed(error: unknown): { readonly error: unknown } {
  return { error: isOfContent(error) ? new Unwritable(error) : error };
}

/** Committed, lost to somebody else, or not happened and still ours to do. */
function fateOf({ activation }: CommitEntry, row: Row): 'committed' | 'lost' | 'open' {
  if (row['run_attempt'] !== null) return Number(row['run_attempt']) === activation.attempt && row['run_status'] !== 'c' ? 'committed' : 'lost';
  if (row['status'] === null) return row['driven'] === true ? 'committed' : 'lost';
  if (row['lease_id'] === activation.leaseId && row['status'] === 'x') return 'open';
  // Parked or to be tried again: only our own commit moves an activation on without counting a loss.
  return Number(row['losses']) === activation.losses && Number(row['attempt']) >= activation.attempt ? 'committed' : 'lost';
}
