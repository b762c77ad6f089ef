import { setTimeout as sleep } from 'node:timers/promises';

const shortestMs = 50;
/** One watcher of a quiet execution costs the database one small read per second. */
const longestMs = 1_000;

/** Pauses between looks at something: short while it moves, half as long again each time it does not. */
export class PollInterval {
  #ms = shortestMs;

  /** Answers with how long it waited; a signal ends the pause early. */
  async pause(hasMoved: boolean, signal: AbortSignal): Promise<number> {
    this.#ms = hasMoved ? shortestMs : Math.min(longestMs, this.#ms * 1.5);
    await sleep(this.#ms, undefined, { signal }).catch(() => undefined);
    return this.#ms;
  }
}
