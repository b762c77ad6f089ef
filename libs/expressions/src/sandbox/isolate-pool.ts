import ivm from 'isolated-vm';
import { Lane } from './lane.ts';

/** Contexts of finished activations leave a little behind; a new isolate now and then keeps that bounded. */
const USES_PER_ISOLATE = 1_000;
/** An isolate that takes longer to make a context is busy with something that was left behind in it. */
const CONTEXT_MS = 1_000;

interface Slot {
  readonly isolate: ivm.Isolate;
  uses: number;
}

/** The place in the sandbox that an activation has while it is there. */
export interface Stay {
  readonly context: ivm.Context;
  readonly isolate: ivm.Isolate;
  /** It only waits from now on, as far as anybody knows: others may come in meanwhile. */
  park(): void;
}

/**
 * Isolates, each used by one activation at a time and always through a fresh context. An isolate that was disposed
 * (out of memory, out of time) is replaced by a new one at the next use.
 *
 * Expressions and code come in by lanes of their own, as many as `size` each: code may run for a minute, and no
 * expression is to wait for that.
 */
export class IsolatePool {
  readonly #memoryMb: number;
  readonly #size: number;
  readonly #guestSource: string;
  readonly #lanes: { readonly expressions: Lane; readonly code: Lane };
  #snapshot: ivm.ExternalCopy<ArrayBuffer> | undefined;
  readonly #idle: Slot[] = [];
  #isDisposed = false;

  constructor(options: { readonly memoryMb: number; readonly size: number; readonly guestSource: string }) {
    this.#memoryMb = options.memoryMb;
    this.#size = Math.max(1, options.size);
    this.#guestSource = options.guestSource;
    this.#lanes = { expressions: new Lane(this.#size), code: new Lane(this.#size) };
  }

  /** Throws Aborted when the signal comes before its turn; `work` sees to the signal itself from then on. */
  async use<T>(lane: 'expressions' | 'code', signal: AbortSignal | undefined, work: (stay: Stay) => Promise<T>): Promise<T> {
    const place = await this.#lanes[lane].enter(signal);
    try {
      const { slot, context } = await this.#open();
      try {
        return await work({ context, isolate: slot.isolate, park: () => place.park() });
      } finally {
        if (!slot.isolate.isDisposed) context.release();
        this.#giveBack(slot);
      }
    } finally {
      place.leave();
    }
  }

  /** Running work ends with an error. */
  dispose(): void {
    this.#isDisposed = true;
    for (const { isolate } of this.#idle.splice(0)) isolate.dispose();
  }

  /** A fresh context, in another isolate when one does not answer. */
  async #open(): Promise<{ slot: Slot; context: ivm.Context }> {
    for (;;) {
      const slot = this.#take();
      const isNew = slot.uses === 0;
      const timer = isNew ? undefined : setTimeout(() => slot.isolate.dispose(), CONTEXT_MS);
      try {
        return { slot, context: await slot.isolate.createContext() };
      } catch (error) {
        if (isNew || !slot.isolate.isDisposed) throw error;
      } finally {
        clearTimeout(timer);
      }
    }
  }

  #take(): Slot {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) if (!idle.isolate.isDisposed) return idle;
    this.#snapshot ??= ivm.Isolate.createSnapshot([{ code: this.#guestSource, filename: 'sandbox-guest.js' }]);
    return { isolate: new ivm.Isolate({ memoryLimit: this.#memoryMb, snapshot: this.#snapshot }), uses: 0 };
  }

  #giveBack(slot: Slot): void {
    slot.uses++;
    if (slot.isolate.isDisposed) return;
    if (slot.uses >= USES_PER_ISOLATE || this.#idle.length >= this.#size || this.#isDisposed) slot.isolate.dispose();
    else this.#idle.push(slot);
  }
}
