import type { Instant } from '@app/engine';

/**
 * The database's clock as far as this process knows it, for decisions that are made before asking. Only distances
 * from it are ever written; the database adds them to its own time.
 */
export class StoreClock {
  private offset: number | null = null;

  /** The database has just said what time it is. */
  observe(at: Instant): void {
    this.offset = at - performance.now();
  }

  now(): Instant {
    return Math.floor(this.offset === null ? Date.now() : performance.now() + this.offset);
  }
}
