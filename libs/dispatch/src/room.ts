/**
 * Counts how many references may still be taken: the free slots less those that are on their way to the receiver.
 * Reserving before taking is what keeps several queues from taking the same slot.
 */
export class Room {
  readonly #free: () => number;
  #reserved = 0;
  #waiting: (() => void)[] = [];
  #closed = false;

  constructor(free: () => number) {
    this.#free = free;
  }

  /** Reserves up to `most` slots at once; possibly none. */
  reserve(most: number): number {
    const granted = this.#closed ? 0 : Math.max(0, Math.min(most, Math.floor(this.#free()) - this.#reserved));
    this.#reserved += granted;
    return granted;
  }

  /** Waits until one slot is reserved; false once the room is closed. */
  async reserveOne(): Promise<boolean> {
    while (!this.#closed) {
      if (this.reserve(1) === 1) return true;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return false;
  }

  release(count: number): void {
    this.#reserved -= count;
    if (count > 0) this.wake();
  }

  /** Lets everyone who waits look again. */
  wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }

  close(): void {
    this.#closed = true;
    this.wake();
  }
}
