import { step } from '@app/engine';
import { noteEnded, suspectAt, type ClaimedActivation, type ReadyActivation } from '@app/store';
import type { WorkerKit } from './worker-kit.ts';

export interface SweepSettings {
  readonly intervalMs: number;
  /** The queues whose messages workers follow. */
  readonly queues: readonly string[];
  /** Rows per kind of work and turn. */
  readonly limit: number;
  /** How often an activation may be lost with its worker before it is given up. */
  readonly maxLosses: number;
  /** An announcement older than this is taken for lost. */
  readonly announceAfterMs: number;
}

/**
 * The bounded turn that repairs whatever was lost: leases of dead workers, timers that are due, messages nobody got,
 * executions past their deadline or without their caller. Runs on every worker; the statements make sure that no row is handled twice.
 */
export class Sweeper {
  private timer: NodeJS.Timeout | null = null;
  private turn: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly kit: WorkerKit,
    private readonly settings: SweepSettings,
    /** Told with every turn that suspects may be waiting. */
    private readonly lookForSuspects: () => void,
  ) {}

  start(): void {
    this.schedule();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.turn;
  }

  private schedule(): void {
    if (this.stopped) return;
    // Spread over the interval, so that the workers of a fleet do not sweep in step.
    const wait = this.settings.intervalMs * (0.75 + Math.random() / 2);
    this.timer = setTimeout(() => {
      this.turn = this.sweep().then(
        () => this.schedule(),
        (error: unknown) => {
          this.kit.report('a sweep met errors; the next turn tries again', error);
          this.schedule();
        },
      );
    }, wait);
  }

  /** One turn. Each kind of work goes on although another one failed. */
  async sweep(): Promise<void> {
    const { store, dispatch, workerId, telemetry } = this.kit;
    const { limit, maxLosses, announceAfterMs } = this.settings;
    const ready: ReadyActivation[] = [];
    const tasks: (() => Promise<void>)[] = [
      async () => {
        const released = await store.releaseExpired(limit, maxLosses, workerId, this.kit.settings.leaseMs);
        ready.push(...released.ready);
        telemetry.count('swept_total', released.ready.length + released.suspects.length + released.exhausted.length, { kind: 'lease' });
        for (const activation of released.exhausted) await this.giveUp(activation);
      },
      async () => {
        const due = await store.fireTimers(limit);
        ready.push(...due);
        telemetry.count('swept_total', due.length, { kind: 'timer' });
      },
      async () => void ready.push(...noteEnded(telemetry, await store.expireDeadlines(limit))),
      async () => {
        const orphans = await store.cancelOrphans(limit);
        ready.push(...noteEnded(telemetry, orphans));
        telemetry.count('swept_total', orphans.executionIds.length, { kind: 'orphan' });
      },
      async () => {
        const unheard = await store.announceReady(limit, announceAfterMs, suspectAt(maxLosses), await this.isQueueBusy());
        ready.push(...unheard);
        telemetry.count('swept_total', unheard.length, { kind: 'announcement' });
      },
    ];
    const failures: unknown[] = [];
    for (const task of tasks) await task().catch((error: unknown) => failures.push(error));
    telemetry.count('sweeps_total');
    if (ready.length > 0) await dispatch.send(ready);
    this.lookForSuspects();
    if (failures.length > 0) throw new AggregateError(failures, 'The sweep met errors; the next turn tries again.');
  }

  private async isQueueBusy(): Promise<boolean> {
    const depths = await Promise.all(this.settings.queues.map((queue) => this.kit.dispatch.depth(queue)));
    return depths.some((depth) => depth !== null && depth > 0);
  }

  /** The process died under it as often as it may: it fails for good, by the node's error policy. */
  private async giveUp(activation: ClaimedActivation): Promise<void> {
    const { program } = await this.kit.programs.get(activation.versionId, activation.options);
    const name = program.nodes[activation.node]!.name;
    const error = { message: `Node "${name}" lost its worker ${activation.losses} times: the process ended or stopped answering while it ran. Does it need too much memory, or block the process?`, code: 'crashed', node: name };
    const result = await this.kit.store.commit(
      activation,
      (snapshot, now) => step(program, snapshot, { kind: 'activation-settled', activation, outcome: { kind: 'failed', error, final: true } }, now),
      { continueHere: false, worker: this.kit.workerId, leaseMs: this.kit.settings.leaseMs, startedAt: activation.claimedAt, finishedAt: activation.claimedAt },
    );
    if (result.ready.length > 0) await this.kit.dispatch.send(result.ready);
  }
}

