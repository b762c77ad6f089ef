import type { ClaimedActivation } from '@app/store';
import type { WorkerKit } from './worker-kit.ts';

/** How long a suspect waits for what already runs. What has run longer than this is not about to kill the process. */
const PATIENCE_MS = 30_000;
/** How long it may keep others out. A node that kills its process does so long before. */
const ALONE_MS = 30_000;
/** Suspects follow each other for this long before other work has a turn again. */
const TURN_MS = 1_000;

/** The slots of a worker, as far as solitude has to do with them. */
export interface Slots {
  /** Runs and claims under way. */
  busy(): number;
  /** Resolves when one of them has ended. */
  nextEnd(): Promise<unknown>;
  run(activation: ClaimedActivation): Promise<void>;
  /** There is room again. */
  refill(): void;
}

/**
 * Runs suspects (see libs/store/src/suspects.ts) with nothing beside them. No lease is held while waiting for the slots
 * to empty: a suspect that has not begun cannot be lost. So an activation fails as crashed only if its process died
 * while it ran alone, or together with nodes that had been running for long.
 */
export class Solitude {
  private turning: Promise<void> | null = null;

  constructor(
    private readonly kit: WorkerKit,
    private readonly slots: Slots,
    private readonly options: { readonly queues: readonly string[]; readonly suspectAt: number },
  ) {}

  /** While true, nothing else begins on this worker. */
  get isWanted(): boolean {
    return this.kit.leases.yielding;
  }

  /** Looks for suspects unless it is at it already; call it now and then. */
  look(): void {
    this.turning ??= this.turn()
      .catch((error: unknown) => this.kit.report('suspects could not be run', error))
      .finally(() => (this.turning = null));
  }

  private async turn(): Promise<void> {
    const { store, leases, workerId, settings } = this.kit;
    const { queues, suspectAt } = this.options;
    if (leases.draining || !(await store.hasSuspect(queues, suspectAt))) return;
    leases.yielding = true;
    try {
      const patience = after(PATIENCE_MS);
      while (this.slots.busy() > 0 && !patience.isOver) await Promise.race([this.slots.nextEnd(), patience.end]);
      for (const until = performance.now() + TURN_MS; performance.now() < until && !leases.draining; ) {
        const suspect = await store.claimSuspect(queues, suspectAt, workerId, settings.leaseMs);
        if (!suspect) break;
        this.kit.telemetry.count('activations_claimed_total', 1, { queue: suspect.queue });
        await Promise.race([this.slots.run(suspect), after(ALONE_MS).end]);
      }
    } finally {
      leases.yielding = false;
      this.slots.refill();
    }
  }
}

function after(ms: number): { readonly isOver: boolean; readonly end: Promise<void> } {
  const due = performance.now() + ms;
  return {
    get isOver() {
      return performance.now() >= due;
    },
    end: new Promise((resolve) => setTimeout(resolve, ms).unref()),
  };
}
