import ivm from 'isolated-vm';

/** Contexts of finished activations leave a little behind; a new isolate now and then keeps that bounded. */
const USES_PER_ISOLATE = 1_000;

interface Slot {
  readonly isolate: ivm.Isolate;
  uses: number;
}

/**
 * Isolates, each used by one activation at a time and always through a fresh context. An isolate that was disposed
 * (out of memory, out of time) is replaced by a new one at the next use.
 */
export class IsolatePool {
  readonly #memoryMb: number;
  readonly #size: number;
  readonly #guestSource: string;
  #snapshot: ivm.ExternalCopy<ArrayBuffer> | undefined;
  readonly #idle: Slot[] = [];
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #isDisposed = false;

  constructor(options: { readonly memoryMb: number; readonly size: number; readonly guestSource: string }) {
    this.#memoryMb = options.memoryMb;
    this.#size = Math.max(1, options.size);
    this.#guestSource = options.guestSource;
  }

  async use<T>(work: (context: ivm.Context, isolate: ivm.Isolate) => Promise<T>): Promise<T> {
    await this.#turn();
    const slot = this.#take();
    try {
      const context = await slot.isolate.createContext();
      try {
        return await work(context, slot.isolate);
      } finally {
        if (!slot.isolate.isDisposed) context.release();
      }
    } finally {
      this.#giveBack(slot);
    }
  }

  /** Running work ends with an error. */
  dispose(): void {
    this.#isDisposed = true;
    for (const { isolate } of this.#idle.splice(0)) isolate.dispose();
  }

  async #turn(): Promise<void> {
    if (this.#busy < this.#size) {
      this.#busy++;
      return;
    }
    // Whoever leaves hands its place over, so the count stays.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #take(): Slot {
    const idle = this.#idle.pop();
    if (idle && !idle.isolate.isDisposed) return idle;
    this.#snapshot ??= ivm.Isolate.createSnapshot([{ code: this.#guestSource, filename: 'sandbox-guest.js' }]);
    return { isolate: new ivm.Isolate({ memoryLimit: this.#memoryMb, snapshot: this.#snapshot }), uses: 0 };
  }

  #giveBack(slot: Slot): void {
    slot.uses++;
    const isSpent = slot.uses >= USES_PER_ISOLATE || this.#isDisposed;
    if (isSpent && !slot.isolate.isDisposed) slot.isolate.dispose();
    if (!slot.isolate.isDisposed) this.#idle.push(slot);
    const next = this.#waiting.shift();
    if (next) next();
    else this.#busy--;
  }
}
