import { Aborted } from './sandbox-failure.ts';

/** So many may wait inside, for each that may compute. */
const PARKED_PER_PLACE = 4;

/** The right to be in the sandbox. */
export interface Place {
  /** Lets somebody else in while this one waits for time to pass; without effect when too many do so already. */
  park(): void;
  leave(): void;
}

/** Lets some in at a time; the others queue, first come, first served. Throws Aborted for who is called off meanwhile. */
export class Lane {
  readonly #size: number;
  readonly #waiting = new Set<() => void>();
  #busy = 0;
  #parked = 0;

  constructor(size: number) {
    this.#size = size;
  }

  async enter(signal?: AbortSignal): Promise<Place> {
    if (signal?.aborted) throw new Aborted();
    if (this.#busy < this.#size) this.#busy++;
    else await this.#turn(signal);
    let state: 'busy' | 'parked' | 'left' = 'busy';
    return {
      park: () => {
        if (state !== 'busy' || this.#parked >= this.#size * PARKED_PER_PLACE) return;
        state = 'parked';
        this.#parked++;
        this.#next();
      },
      leave: () => {
        if (state === 'busy') this.#next();
        else if (state === 'parked') this.#parked--;
        state = 'left';
      },
    };
  }

  /** Whoever leaves hands its place over, so the count stays. */
  #turn(signal?: AbortSignal): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const come = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.delete(come);
        reject(new Aborted());
      };
      this.#waiting.add(come);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  #next(): void {
    const [come] = this.#waiting;
    if (!come) return void this.#busy--;
    this.#waiting.delete(come);
    come();
  }
}
