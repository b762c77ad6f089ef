import { BullmqDispatch, redisBackend, type ActivationRef } from '@app/dispatch';
import { sleep } from '../eventually.ts';
import type { Random } from '../random.ts';

/**
 * Sits on the queue among the workers, takes what it can get, and passes it on as it likes: several times over, late,
 * in another order.
 */
export class Meddler {
  readonly counts = { taken: 0, passedOn: 0 };
  readonly #dispatch: BullmqDispatch;
  readonly #pending = new Set<Promise<void>>();
  /** Messages it has passed on: it does not take them again, or nothing would ever arrive. */
  readonly #known = new Set<string>();

  constructor(
    redisUrl: string,
    private readonly random: Random,
    private readonly habits: { readonly copies: () => number; readonly delayMs: () => number },
  ) {
    this.#dispatch = new BullmqDispatch({ backend: redisBackend(redisUrl) });
  }

  start(): void {
    this.#dispatch.receive(async (refs) => this.#take(refs), { free: () => 64 });
  }

  /** Passes on whatever it still holds. */
  async stop(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
    await this.#dispatch.stop();
  }

  #take(refs: readonly ActivationRef[]): void {
    this.counts.taken += refs.filter(({ id }) => !this.#known.has(id)).length;
    const copies = refs.flatMap((ref) => this.#copiesOf(ref));
    for (const ref of refs) this.#known.add(ref.id);
    for (const ref of this.random.shuffled(copies)) {
      const passed = sleep(this.habits.delayMs()).then(() => this.#passOn(ref));
      this.#pending.add(passed);
      void passed.finally(() => this.#pending.delete(passed));
    }
  }

  async #passOn(ref: ActivationRef): Promise<void> {
    this.counts.passedOn += 1;
    await this.#dispatch.send([ref]);
  }

  /** A copy under the same announcement would be swallowed by BullMQ, so each has a number of its own. */
  #copiesOf(ref: ActivationRef): ActivationRef[] {
    const copies = this.#known.has(ref.id) ? 1 : this.habits.copies();
    return Array.from({ length: copies }, (_, copy) => ({ ...ref, announcement: ref.announcement + copy * 1_000 }));
  }
}
