import { TestFleet } from '../support/fleet.ts';
import { eventually } from './eventually.ts';
import { STANDING } from './invariant-statements.ts';
import { brokenInvariants, type Expectations } from './invariants.ts';
import type { ChaosContext, ScenarioResult } from './scenario.ts';
import { Verdict } from './verdict.ts';
import { order, type WorkflowUnderTest } from './workflows.ts';
import { Crew, type WorkerEnv } from './world/crew.ts';
import { OwnRedis } from './world/own-redis.ts';
import { EffectSink } from './world/sink.ts';
import { Starter, type Accepted } from './world/starter.ts';
import { Watcher } from './world/watcher.ts';

/** From the end of a fault to the end of what it interrupted (I14); ready work may lie no longer either (I5). */
const recoveryBudgetMs = 15_000;

export interface StageOptions {
  readonly workers?: number;
  /** Absent: workers that nothing happens to. */
  readonly workerEnv?: (nth: number) => WorkerEnv;
  readonly env?: WorkerEnv;
  readonly apiEnv?: WorkerEnv;
  /** The Postgres server; absent: the shared one. */
  readonly server?: string;
  /** Where the processes find Postgres, when not directly. */
  readonly databaseUrl?: (direct: string) => string;
  readonly statusOf?: Expectations['statusOf'];
  readonly spareCalls?: number;
  /** How long the fault itself may keep work from being done. */
  readonly outageMs?: number;
  readonly settleMs?: number;
}

/**
 * Leases and sweeps so short that what takes 15 s in production takes two here. Workers die at a rate at which chance
 * alone may hit one activation three times; where poison is the subject, the scenario says its own limit.
 */
const QUICK: WorkerEnv = {
  MAX_LOSSES: '10',
  LEASE_SECONDS: '2',
  SWEEP_INTERVAL_MS: '250',
  ANNOUNCE_AFTER_MS: '1000',
  POLL_INTERVAL_MS: '500',
  IDLE_POLL_INTERVAL_MS: '20000',
  SHUTDOWN_GRACE_MS: '10000',
  WORKER_SLOTS: '8',
};

/** Executions that are started together where a scenario needs a crowd. */
const WAVE = 20;

interface LoadShape {
  /** How long each effect takes. */
  readonly ms?: number;
  readonly waitMs?: number;
  /** The time over which the starts are spread; absent: at a rate that the fleet can bear. */
  readonly overMs?: number;
  /** Starts in waves instead, each spread over this time. */
  readonly waveMs?: number;
}

/** Where an experiment takes place: a fleet of real processes, its outside world, and who watches them. */
export class Stage {
  readonly verdict = new Verdict();
  readonly starter: Starter;
  readonly crew: Crew;
  readonly watcher: Watcher;
  readonly #workflows = new Map<string, WorkflowUnderTest>();
  #lastFaultEndedAt: number | null = null;

  private constructor(
    readonly fleet: TestFleet,
    readonly sink: EffectSink,
    readonly redis: OwnRedis,
    private readonly options: StageOptions,
    readonly context: ChaosContext,
  ) {
    this.starter = new Starter(fleet);
    this.crew = new Crew(fleet, options.workerEnv ?? (() => ({})));
    this.watcher = new Watcher(fleet.database.url, this.verdict);
  }

  /** Sets up, lets the experiment happen, waits until all has ended, checks the promises, clears away. */
  static async run(context: ChaosContext, options: StageOptions, experiment: (stage: Stage) => Promise<void>): Promise<ScenarioResult> {
    const redis = await OwnRedis.start();
    const sink = await EffectSink.start();
    let stage: Stage | null = null;
    try {
      const fleet = await TestFleet.start({
        workers: 0,
        redisUrl: redis.url,
        env: { ...QUICK, ...options.env },
        ...(options.apiEnv && { apiEnv: options.apiEnv }),
        ...(options.server !== undefined && { server: options.server }),
        ...(options.databaseUrl && { databaseUrl: options.databaseUrl }),
      });
      stage = new Stage(fleet, sink, redis, options, context);
      await stage.crew.hire(options.workers ?? 2);
      stage.watcher.start();
      await experiment(stage);
      await stage.settle();
      return await stage.result();
    } catch (error) {
      if (!stage) throw error;
      stage.verdict.expect(false, `The experiment broke off: ${error instanceof Error ? error.message : String(error)}`);
      stage.verdict.add(await stage.standing());
      return { faults: stage.verdict.faults, recoveryMs: null, violations: stage.verdict.violations };
    } finally {
      await stage?.close();
      await sink.stop();
      await redis.kill();
    }
  }

  async publish(workflow: WorkflowUnderTest): Promise<string> {
    const { id } = await this.fleet.call<{ id: string }>('POST', 'workflows', workflow.document);
    await this.fleet.call('POST', `workflows/${id}/publish`, {});
    this.#workflows.set(id, workflow);
    return id;
  }

  /** Publishes the order and starts it as often as the context says; resolves when all are accepted. */
  async load(shape: LoadShape = {}): Promise<Accepted[]> {
    return (await this.begin(shape)).accepted;
  }

  /** The same; resolves as soon as the first may come, so that a fault meets the starts and not the publishing. */
  async begin(shape: LoadShape = {}): Promise<{ accepted: Promise<Accepted[]> }> {
    const id = await this.publish(order(this.sink.url, shape));
    return { accepted: shape.waveMs === undefined ? this.starter.start(id, 'order', this.context.executions, shape.overMs ?? this.loadMs) : this.startInWaves(id, 'order', this.context.executions, shape.waveMs) };
  }

  /**
   * Starts executions twenty at a time, each wave over `waveMs` and when most of what came before has ended: only a
   * fleet that is not asked for more than it can do owes ready work an answer within the budget.
   */
  startInWaves(workflow: string, keyPrefix: string, count: number, waveMs: number): Promise<Accepted[]> {
    const started = (async () => {
      const accepted: Accepted[] = [];
      for (let wave = 0; accepted.length < count; wave++) {
        if (wave > 0) await this.calm();
        accepted.push(...(await this.starter.start(workflow, `${keyPrefix}-${wave}`, Math.min(WAVE, count - accepted.length), waveMs)));
      }
      return accepted;
    })();
    // Whoever waits for it hears of a failure; until then it must not end the process.
    started.catch(() => {});
    return started;
  }

  /** Resolves when most of what was started has ended. */
  async calm(): Promise<void> {
    await eventually('most executions have ended', 120_000, () => this.starter.accepted.length - this.watcher.endedAt.size <= WAVE / 4);
  }

  /** Over which time the usual load arrives: two seconds for twenty, more for more. */
  get loadMs(): number {
    return 1_500 + this.context.executions * 60;
  }

  /** Marks the end of a fault: what it met has to end within the budget from here. */
  faultEnded(): void {
    this.#lastFaultEndedAt = Date.now();
  }

  async settle(): Promise<void> {
    await eventually('every execution has ended', this.options.settleMs ?? 60_000 + this.context.executions * 200, async () => {
      await this.watcher.look();
      return this.watcher.open === 0;
    });
    // A late write would show now.
    await this.watcher.look();
  }

  async result(): Promise<ScenarioResult> {
    const { verdict, watcher, starter, sink } = this;
    const { statusOf = () => 's', spareCalls = 0, outageMs = 0 } = this.options;
    verdict.add(await brokenInvariants((text) => watcher.query(text), sink, { accepted: starter.accepted, workflows: this.#workflows, statusOf, spareCalls }));
    verdict.expect(starter.accepted.length > 0, 'Nothing was accepted, so nothing was tested.');
    verdict.expect(watcher.oldestReadyMs <= recoveryBudgetMs + outageMs, `I5: ready work lay for ${watcher.oldestReadyMs} ms.`);
    verdict.expect(this.fleet.api.isRunning, 'The API is not running at the end.');
    const recoveryMs = this.#recoveryMs();
    verdict.expect((recoveryMs ?? 0) <= recoveryBudgetMs, `I14: it took ${recoveryMs} ms from the end of the fault until all that it met had ended.`);
    return { faults: verdict.faults, recoveryMs, violations: verdict.violations };
  }

  /** For the report: what is still open, and what the workers said last. */
  async standing(): Promise<string[]> {
    const rows = await this.watcher.query(STANDING).catch(() => []);
    const said = [this.fleet.api, ...this.crew.members.map(({ process }) => process)].map((process) => `${process.name} said last: ${process.output.join('').trim().split('\n').slice(-3).join(' | ').slice(-600)}`);
    return [...rows.map((row) => `Standing still: ${JSON.stringify(row)}`), ...said];
  }

  async close(): Promise<void> {
    await this.crew.close();
    await this.watcher.stop();
    await this.fleet.stop();
  }

  #recoveryMs(): number | null {
    const fault = this.#lastFaultEndedAt;
    if (fault === null) return null;
    const met = this.starter.accepted.filter(({ at, id }) => at < fault && (this.watcher.endedAt.get(id) ?? Infinity) > fault);
    return met.length === 0 ? 0 : Math.max(...met.map(({ id }) => (this.watcher.endedAt.get(id) ?? Infinity) - fault));
  }
}
