import type { ClaimedActivation, Store } from '@app/store';

/** The right to finish one activation, as its run sees it. */
export interface HeldLease {
  /** Aborted when the lease is lost, the execution has ended, or the worker must stop now. */
  readonly signal: AbortSignal;
  readonly lost: boolean;
  /** False when the worker wants its slots empty: successors go to the fleet. */
  readonly mayContinue: boolean;
  release(): void;
}

class Held implements HeldLease {
  readonly controller = new AbortController();
  lost = false;
  constructor(
    readonly activation: ClaimedActivation,
    private readonly keeper: LeaseKeeper,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }
  get mayContinue(): boolean {
    return !this.keeper.draining && !this.keeper.yielding;
  }
  release(): void {
    this.keeper.drop(this);
  }
}

/** Extends the leases of everything that runs here, in one statement per beat, and tells runs that lost theirs. */
export class LeaseKeeper {
  /** The worker stops. */
  draining = false;
  /** The worker makes room for an activation that must run alone. */
  yielding = false;
  private readonly held = new Set<Held>();
  private timer: NodeJS.Timeout | null = null;
  private beating = false;

  constructor(
    private readonly store: Store,
    private readonly leaseMs: number,
  ) {}

  start(): void {
    // A third of the lease: two beats may be lost before a healthy worker is robbed.
    this.timer ??= setInterval(() => void this.beat(), this.leaseMs / 3);
  }

  hold(activation: ClaimedActivation): HeldLease {
    const held = new Held(activation, this);
    this.held.add(held);
    return held;
  }

  drop(held: HeldLease): void {
    this.held.delete(held as Held);
  }

  /** Everything that runs now. */
  running(): ClaimedActivation[] {
    return [...this.held].map((held) => held.activation);
  }

  abortAll(): void {
    for (const held of this.held) held.controller.abort(new Error('The worker is shutting down.'));
  }

  async beat(): Promise<void> {
    if (this.beating || this.held.size === 0) return;
    this.beating = true;
    const asked = [...this.held];
    try {
      const { lost } = await this.store.extendLeases(asked.map((held) => held.activation), this.leaseMs);
      for (const held of asked) {
        if (!lost.includes(held.activation.id) || !this.held.has(held)) continue;
        held.lost = true;
        held.controller.abort(new Error('The lease was lost: the execution was canceled, or another worker has the activation.'));
      }
    } catch {
      // The store is away: the leases run on by themselves, and commit will tell.
    } finally {
      this.beating = false;
    }
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }
}
