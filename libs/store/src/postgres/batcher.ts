interface Waiting<Entry, Result> {
  readonly entry: Entry;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

/** A smaller batch costs nearly as much as one of this size. */
const WORTH_SPLITTING = 16;

/**
 * Group commit. While fewer than `maxInFlight` batches are under way, what has gathered goes at once, so nobody waits
 * when the store is idle; otherwise it goes, as one batch, when one of them returns. The busier, the larger the
 * batches. Entries handed in during one turn of the event loop travel together.
 */
export class Batcher<Entry, Result> {
  private readonly waiting: Waiting<Entry, Result>[] = [];
  private inFlight = 0;
  private scheduled = false;
  private idle: (() => void)[] = [];

  constructor(
    private readonly options: {
      readonly maxInFlight: number;
      readonly maxSize: number;
      /** Answers in the order of the entries; never rejects for one entry alone. */
      readonly run: (entries: readonly Entry[]) => Promise<readonly Outcome<Result>[]>;
    },
  ) {}

  submit(entry: Entry): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ entry, resolve, reject });
      this.schedule();
    });
  }

  /** Resolves when everything handed in so far has been answered. */
  async drained(): Promise<void> {
    if (this.inFlight === 0 && this.waiting.length === 0) return;
    await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  private schedule(): void {
    if (this.scheduled || this.inFlight >= this.options.maxInFlight) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.flush();
    });
  }

  private flush(): void {
    while (this.waiting.length > 0 && this.inFlight < this.options.maxInFlight) {
      const batch = this.waiting.splice(0, this.share());
      this.inFlight += 1;
      void this.run(batch);
    }
  }

  /**
   * What has gathered is divided among the free places, so that one batch is prepared while the database works on the
   * other; all in one batch would move in lockstep and leave one of the two always idle.
   */
  private share(): number {
    const { maxInFlight, maxSize } = this.options;
    const even = Math.ceil(this.waiting.length / (maxInFlight - this.inFlight));
    return Math.min(maxSize, Math.max(even, WORTH_SPLITTING));
  }

  private async run(batch: readonly Waiting<Entry, Result>[]): Promise<void> {
    try {
      const outcomes = await this.options.run(batch.map(({ entry }) => entry));
      batch.forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index]!;
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.inFlight -= 1;
    this.schedule();
    if (this.inFlight === 0 && this.waiting.length === 0) for (const resolve of this.idle.splice(0)) resolve();
  }
}
