import { defaultQueue, messageId, type ActivationRef } from '../activation-ref.ts';
import { Dispatch, type DispatchHealth, type Receiver, type ReceiveOptions, type Reception } from '../dispatch.ts';
import { Room } from '../room.ts';

const largestBatch = 64;

/** The doorbell inside one process, with the same manners: for tests and for a fleet of one. */
export class MemoryDispatch extends Dispatch {
  readonly #redeliverMs: number;
  /** By queue, then by message id: a message that is there already is not added again. */
  readonly #queues = new Map<string, Map<string, ActivationRef>>();
  readonly #inHand = new Set<string>();
  readonly #receptions = new Map<Reception, () => void>();
  readonly #counts = { sent: 0, failedSends: 0, received: 0, consumersRecreated: 0 };

  /** `redeliverMs`: after which time a message comes again that its receiver rejected. */
  constructor({ redeliverMs = 1_000 }: { redeliverMs?: number } = {}) {
    super();
    this.#redeliverMs = redeliverMs;
  }

  async send(refs: readonly ActivationRef[]): Promise<void> {
    for (const ref of refs) if (!this.#inHand.has(messageId(ref))) this.#queue(ref.queue).set(messageId(ref), ref);
    this.#counts.sent += refs.length;
    for (const wake of this.#receptions.values()) wake();
  }

  receive(receiver: Receiver, { queues = [defaultQueue], free }: ReceiveOptions): Reception {
    const room = new Room(free);
    const inHand = new Set<Promise<void>>();
    let arrived = () => {};
    let isStopping = false;
    const pull = async () => {
      while (await room.reserveOne()) {
        const refs = this.#take(queues, 1 + room.reserve(largestBatch - 1), (unused) => room.release(unused));
        if (refs.length === 0) {
          if (isStopping) return;
          await new Promise<void>((resolve) => (arrived = resolve));
          continue;
        }
        const done = this.#handOver(refs, receiver).finally(() => (inHand.delete(done), room.release(refs.length)));
        inHand.add(done);
      }
    };
    const pulling = pull();
    const reception: Reception = {
      refill: () => room.wake(),
      stop: async () => {
        isStopping = true;
        room.close();
        arrived();
        await pulling;
        await Promise.all(inHand);
        this.#receptions.delete(reception);
      },
    };
    this.#receptions.set(reception, () => arrived());
    return reception;
  }

  async depth(queue: string): Promise<number> {
    return this.#queue(queue).size;
  }

  health(): DispatchHealth {
    return { status: 'ok', problems: [], ...this.#counts };
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#receptions.keys()].map((reception) => reception.stop()));
  }

  async #handOver(refs: readonly ActivationRef[], receiver: Receiver): Promise<void> {
    this.#counts.received += refs.length;
    try {
      await receiver(refs);
      for (const ref of refs) this.#inHand.delete(messageId(ref));
    } catch {
      setTimeout(() => {
        for (const ref of refs) this.#inHand.delete(messageId(ref));
        void this.send(refs);
      }, this.#redeliverMs).unref();
    }
  }

  /** Smaller priority first, then first come, first served. */
  #take(queues: readonly string[], most: number, giveBack: (unused: number) => void): ActivationRef[] {
    const waiting = queues.flatMap((queue) => [...this.#queue(queue).values()]);
    const taken = waiting.toSorted((a, b) => a.priority - b.priority).slice(0, most);
    for (const ref of taken) {
      this.#queue(ref.queue).delete(messageId(ref));
      this.#inHand.add(messageId(ref));
    }
    giveBack(most - taken.length);
    return taken;
  }

  #queue(name: string): Map<string, ActivationRef> {
    const known = this.#queues.get(name);
    if (known) return known;
    const queue = new Map<string, ActivationRef>();
    this.#queues.set(name, queue);
    return queue;
  }
}
