import { step, type Outcome } from '@app/engine';
import { noteEnded, Unwritable, type ClaimedActivation, type CommitOptions, type CommitResult, type Decide } from '@app/store';
import { ExecutionOverdue } from './execute/deadline.ts';
import { runNode } from './execute/run-node.ts';
import type { LoadedProgram } from './program-cache.ts';
import { isStoreAway, toNodeFailure } from './execute/node-failure.ts';
import { NO_SPAN, SegmentTrace } from './tracing.ts';
import type { WorkerKit } from './worker-kit.ts';

/** The sweep ends overdue executions anyway; a worker that meets one need not end more than come together. */
const OVERDUE_AT_ONCE = 100;

/**
 * Runs one claimed activation, start to finish, and stays with the chain while the budget allows.
 * Read this file to know what the fleet does.
 *
 * Delivery is at least once. Nothing here guards against a second delivery except the lease inside `activation`: if
 * we lost it, `commit` changes nothing and answers `fenced`. `now` comes from the store: one clock for all workers.
 */
export async function runActivation(first: ClaimedActivation, kit: WorkerKit): Promise<void> {
  const budget = new ContinueBudget(kit.settings.continueLimit, kit.settings.continueMs);
  const trace = SegmentTrace.begin(kit, first);
  try {
    for (let current: ClaimedActivation | null = first; current; ) current = await runOne(current, budget, trace, kit);
  } finally {
    trace?.end();
  }
}

/** Answers its only successor, when that is to run here. */
async function runOne(activation: ClaimedActivation, budget: ContinueBudget, trace: SegmentTrace | null, kit: WorkerKit): Promise<ClaimedActivation | null> {
  const lease = kit.leases.hold(activation);
  try {
    const program = await kit.programs.get(activation.versionId, activation.options);
    const name = program.program.nodes[activation.node]!.name;
    await kit.failpoint('worker:claimed', name);
    const ran = await run(program, activation, lease.signal, kit, trace);
    if (lease.lost) return null;
    await kit.failpoint('worker:before-commit', name);
    const { outcome, options, isRetried, result } = await commit(program, activation, ran, budget.spend() && lease.mayContinue, kit);
    await kit.failpoint('worker:after-commit', name);
    if (result.kind === 'fenced') {
      kit.telemetry.count('fenced_writes_total');
      return null;
    }
    kit.telemetry.count('activations_settled_total', 1, { outcome: outcome.kind });
    if (options.children?.length) kit.telemetry.count('executions_started_total', options.children.length, { mode: 'integrated' });
    if (isRetried) kit.telemetry.count('activations_retried_total');
    if (result.next) kit.telemetry.count('activations_continued_total');
    if (result.ended) ended(result.ended, kit, trace, program);
    if (result.ready.length > 0) await kit.dispatch.send(result.ready);
    await kit.failpoint('worker:after-send', name);
    return result.next;
  } finally {
    lease.release();
  }
}

interface Ran {
  readonly outcome: Outcome;
  readonly options: Omit<CommitOptions, 'continueHere'>;
  readonly failWith: (error: unknown) => Outcome;
}

/** A node never throws past this line: whatever goes wrong becomes an outcome; the engine decides whether to retry. */
async function run(program: LoadedProgram, activation: ClaimedActivation, signal: AbortSignal, kit: WorkerKit, trace: SegmentTrace | null): Promise<Ran> {
  const began = performance.now();
  const span = trace?.node(program, activation) ?? NO_SPAN;
  const waited = Math.max(0, activation.claimedAt - activation.readyAt);
  kit.telemetry.observe('activation_wait_seconds', waited / 1000, { queue: activation.queue });
  try {
    await kit.failpoint('worker:node', program.program.nodes[activation.node]!.name);
    const { outcome, extra, failWith = toNodeFailure } = await runNode(program, activation, signal, kit).catch(async (error: unknown) => {
      // Nobody knows what the node would have done: its lease runs out, and it is run again.
      if (isStoreAway(error)) throw error;
      // The commit of what follows is fenced then.
      if (error instanceof ExecutionOverdue) await kit.dispatch.send(noteEnded(kit.telemetry, await kit.store.expireDeadlines(OVERDUE_AT_ONCE)));
      return { outcome: toNodeFailure(error), extra: {}, failWith: undefined };
    });
    const ms = performance.now() - began;
    kit.telemetry.observe('activation_run_seconds', ms / 1000, { type: program.program.nodes[activation.node]!.type });
    if (outcome.kind === 'failed') span.fail(outcome.error);
    const times = { startedAt: activation.claimedAt, finishedAt: activation.claimedAt + Math.round(ms) };
    return { outcome, failWith, options: { worker: kit.workerId, leaseMs: kit.settings.leaseMs, ...times, ...extra } };
  } finally {
    span.end();
  }
}

interface Committed extends Omit<Ran, 'failWith'> {
  readonly result: CommitResult;
  readonly isRetried: boolean;
}

/** A result that cannot be written fails its node: running it again would only give the same. */
async function commit(program: LoadedProgram, activation: ClaimedActivation, ran: Ran, continueHere: boolean, kit: WorkerKit): Promise<Committed> {
  const settle = async ({ outcome, options }: Omit<Ran, 'failWith'>): Promise<Committed> => {
    let isRetried = false;
    const decide: Decide = (snapshot, now) => {
      const decided = step(program.program, snapshot, { kind: 'activation-settled', activation, outcome }, now);
      isRetried = decided.kind === 'transition' && decided.reopened?.kind === 'retry';
      return decided;
    };
    const result = await kit.store.commit(activation, decide, { ...options, continueHere });
    return { outcome, options, isRetried, result };
  };
  return settle(ran).catch((error: unknown) => {
    if (!(error instanceof Unwritable)) throw error;
    const { worker, leaseMs, startedAt, finishedAt } = ran.options;
    return settle({ outcome: ran.failWith(error), options: { worker, leaseMs, startedAt, finishedAt } });
  });
}

function ended(status: string, kit: WorkerKit, trace: SegmentTrace | null, program: LoadedProgram): void {
  kit.telemetry.count('executions_finished_total', 1, { status });
  if (status === 'succeeded') kit.telemetry.count('executions_succeeded_total');
  if (status === 'failed') kit.telemetry.count('executions_failed_total');
  void trace?.executionEnded(program);
}

/** How long a chain may stay on one worker: fairness and a prompt drain need an end. */
class ContinueBudget {
  private readonly until: number;
  constructor(
    private left: number,
    ms: number,
  ) {
    this.until = performance.now() + ms;
  }

  spend(): boolean {
    this.left -= 1;
    return this.left >= 0 && performance.now() < this.until;
  }
}
