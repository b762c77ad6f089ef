import type { Reception } from '@app/dispatch';
import { suspectAt, type ClaimedActivation } from '@app/store';
import { PopWatchdog } from './pop-watchdog.ts';
import { runActivation } from './run-activation.ts';
import { Solitude } from './solitude.ts';
import { Sweeper, type SweepSettings } from './sweeper.ts';
import type { WorkerKit } from './worker-kit.ts';

export interface WorkerOptions {
  readonly slots: number;
  readonly queues: readonly string[];
  /** How often to ask the store for work although no message came: short while the queue is away, long otherwise. */
  readonly pollMs: number;
  readonly idlePollMs: number;
  readonly graceMs: number;
  readonly sweep: Omit<SweepSettings, 'queues'>;
}

/** Slots: takes as many activations as are free, runs them, refills. */
export class Worker {
  private reception: Reception | null = null;
  private readonly sweeper: Sweeper;
  private readonly watchdog: PopWatchdog;
  private readonly solitude: Solitude;
  private readonly suspectAt: number;
  private readonly running = new Set<Promise<void>>();
  private pollTimer: NodeJS.Timeout | null = null;
  private polledAt = performance.now();
  private claiming = 0;
  private stopping = false;

  constructor(
    private readonly kit: WorkerKit,
    private readonly options: WorkerOptions,
  ) {
    this.watchdog = new PopWatchdog();
    this.suspectAt = suspectAt(options.sweep.maxLosses);
    const slots = {
      busy: () => this.running.size + this.claiming,
      nextEnd: () => Promise.race([...this.running, new Promise((resolve) => setTimeout(resolve, 50))]),
      run: (activation: ClaimedActivation) => this.run(activation),
      refill: () => this.reception?.refill(),
    };
    this.solitude = new Solitude(kit, slots, { queues: options.queues, suspectAt: this.suspectAt });
    this.sweeper = new Sweeper(kit, { ...options.sweep, queues: options.queues }, () => this.solitude.look());
  }

  start(): void {
    this.kit.telemetry.set('slots_total', this.options.slots);
    this.kit.leases.start();
    this.sweeper.start();
    this.reception = this.kit.dispatch.receive((refs) => this.take(refs.map((ref) => ref.id)), { queues: this.options.queues, free: () => this.free() });
    this.schedulePoll();
  }

  /** Slots that nothing runs in and nothing is being claimed for. */
  free(): number {
    return this.stopping || this.solitude.isWanted ? 0 : Math.max(0, this.options.slots - this.running.size - this.claiming);
  }

  get busy(): number {
    return this.running.size;
  }

  /** Popped or polled lately, and the store answered; whoever has its slots full asks for nothing. */
  get isHealthy(): boolean {
    return this.running.size >= this.options.slots || this.watchdog.isAlive(this.options.idlePollMs * 3 + 10_000);
  }

  private async take(ids: readonly string[]): Promise<void> {
    this.claiming += ids.length;
    let claimed: ClaimedActivation[] = [];
    const began = performance.now();
    try {
      claimed = await this.kit.store.claim(ids, this.kit.workerId, this.kit.settings.leaseMs, this.suspectAt);
      this.watchdog.popped();
      this.kit.telemetry.observe('claim_seconds', (performance.now() - began) / 1000);
    } finally {
      this.claiming -= ids.length;
    }
    const duplicates = ids.length - claimed.length;
    if (duplicates > 0) this.kit.telemetry.count('duplicate_deliveries_total', duplicates);
    await this.begin(claimed);
    await this.kit.failpoint('worker:before-ack', '');
  }

  private async begin(claimed: readonly ClaimedActivation[]): Promise<void> {
    if (claimed.length === 0) return;
    this.kit.telemetry.count('activations_claimed_total', claimed.length, { queue: claimed[0]!.queue });
    if (this.stopping) return void (await this.kit.dispatch.send(await this.kit.store.release(claimed)));
    for (const activation of claimed) void this.run(activation);
  }

  private run(activation: ClaimedActivation): Promise<void> {
    const run = runActivation(activation, this.kit)
      // The store did not take the result: the lease runs out and the activation is run again, here or elsewhere.
      .catch((error: unknown) => this.kit.report('an activation could not be finished', error))
      .finally(() => {
        this.running.delete(run);
        this.kit.telemetry.set('slots_busy', this.running.size);
        this.reception?.refill();
      });
    this.running.add(run);
    this.kit.telemetry.set('slots_busy', this.running.size);
    return run;
  }

  private schedulePoll(): void {
    if (this.stopping) return;
    // Looked at every time: a queue that breaks must not have to wait for the end of a pause that suits one that works.
    this.pollTimer = setTimeout(() => void (this.pollIsDue() ? this.poll() : Promise.resolve()).finally(() => this.schedulePoll()), Math.min(this.options.pollMs, this.options.idlePollMs));
  }

  private pollIsDue(): boolean {
    return this.kit.dispatch.health().status !== 'ok' || performance.now() - this.polledAt >= this.options.idlePollMs;
  }

  /** Behind every notification stands a poll: work goes on without a queue. */
  private async poll(): Promise<void> {
    this.polledAt = performance.now();
    const free = this.free();
    if (free === 0) return;
    this.claiming += free;
    try {
      const claimed = await this.kit.store.claimReady(this.options.queues, free, this.kit.workerId, this.kit.settings.leaseMs, this.suspectAt);
      this.watchdog.polled();
      await this.begin(claimed);
    } catch (error) {
      this.kit.report('the store could not be asked for work', error);
    } finally {
      this.claiming -= free;
    }
  }

  /** Stops claiming, lets what runs finish within the grace, gives the rest back; no attempt is consumed. */
  async stop(): Promise<void> {
    if (this.stopping) return;
    this.stopping = true;
    this.kit.leases.draining = true;
    if (this.pollTimer) clearTimeout(this.pollTimer);
    await this.reception?.stop();
    await this.sweeper.stop();
    await Promise.race([Promise.allSettled([...this.running]), new Promise((resolve) => setTimeout(resolve, this.options.graceMs).unref())]);
    const left = this.kit.leases.running();
    if (left.length > 0) await this.kit.dispatch.send(await this.kit.store.release(left).catch(() => []));
    this.kit.leases.abortAll();
    this.kit.leases.stop();
  }
}
