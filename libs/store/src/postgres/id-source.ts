import { randomInt } from 'node:crypto';

const EPOCH = Date.UTC(2020, 0, 1);
const COUNTER_BITS = 22n;
const COUNTERS = 2 ** Number(COUNTER_BITS);

/**
 * Ids in the order of their creation: 41 bits of milliseconds since 2020, then a counter that starts at random in
 * every process. Two processes meet only when both counters and milliseconds do; the primary key then says so.
 */
export class IdSource {
  private counter = randomInt(COUNTERS);
  private lastMs = 0;

  constructor(private readonly clock: () => number = Date.now) {}

  next(): string {
    // A clock that steps back must not make later ids smaller.
    this.lastMs = Math.max(this.lastMs, this.clock());
    this.counter = (this.counter + 1) % COUNTERS;
    return String((BigInt(this.lastMs - EPOCH) << COUNTER_BITS) | BigInt(this.counter));
  }

  /** The same as text that sorts by age: 13 letters and digits. */
  nextText(): string {
    return BigInt(this.next()).toString(36).padStart(13, '0');
  }
}

/** When an id was made. */
export function createdAt(id: string): number {
  return Number(BigInt(id) >> COUNTER_BITS) + EPOCH;
}
