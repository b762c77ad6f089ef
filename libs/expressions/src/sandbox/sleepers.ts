import ivm from 'isolated-vm';

const LONGEST_MS = 0x7fffffff;

/** The waiting of one run of code. When the run is over, nothing wakes any more: what is left behind must not run on. */
export class Sleepers {
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #onFirst: () => void;
  #isOver = false;

  constructor(onFirst: () => void) {
    this.#onFirst = onFirst;
  }

  /** Somebody in the sandbox still waits to be woken. */
  get pending(): boolean {
    return this.#timers.size > 0;
  }

  /** What the sandbox calls with a number of milliseconds. */
  reference(): ivm.Reference {
    return new ivm.Reference((ms: unknown) => {
      this.#onFirst();
      return new Promise<void>((resolve) => {
        if (this.#isOver) return;
        const timer = setTimeout(() => {
          this.#timers.delete(timer);
          resolve();
        }, Math.min(Number(ms) || 0, LONGEST_MS));
        this.#timers.add(timer);
      });
    });
  }

  end(): void {
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
