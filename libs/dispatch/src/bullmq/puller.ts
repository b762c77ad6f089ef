import type { Receiver } from '../dispatch.ts';
import type { Room } from '../room.ts';
import { within } from '../within.ts';
import type { Consumer, Message } from './consumer.ts';

/** A batch is one claim in Postgres. Beyond 64 the claim gains nothing, and a lost worker would strand more messages. */
const largestBatch = 64;
/** A first message is often alone, and each look that finds nothing costs the server as much as one that does. */
const smallestBatch = 2;

const interruptMs = 2_000;

export interface PullerOptions {
  queue: string;
  room: Room;
  receiver: Receiver;
  openConsumer(): Consumer;
  /** Without any message for this long although some wait and there is room, the consumer is replaced. */
  silenceMs: number;
  onReceived(count: number): void;
  onRecreated(reason: 'silent' | 'failed', error?: Error): void;
  onReceiverFailed(error: Error): void;
}

/**
 * Pulls one queue for as long as there is room: waits for one message, takes along what else is there, hands the
 * batch to the receiver, and settles the messages once that has looked at them. Batches overlap: the next is pulled
 * while the last is being claimed.
 */
export class Puller {
  readonly #options: PullerOptions;
  #consumer: Consumer;
  #replaced = signal();
  #batch = smallestBatch;
  #isStopping = false;
  #isAsking = false;
  #lastHeard = performance.now();
  #patienceMs: number;
  readonly #watch: NodeJS.Timeout;
  readonly #inHand = new Set<Promise<void>>();
  readonly #ended: Promise<void>;

  constructor(options: PullerOptions) {
    this.#options = options;
    this.#patienceMs = options.silenceMs;
    this.#consumer = options.openConsumer();
    this.#watch = setInterval(() => void this.#listenForSilence(), options.silenceMs / 2);
    this.#watch.unref();
    this.#ended = this.#pull();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#watch);
    await this.#consumer.interrupt();
    // A wait that a dead connection does not let go of is abandoned; what it may have got comes again elsewhere.
    await within(interruptMs, 'Ending the wait for a message', this.#ended).catch(() => this.#replaced.raise());
    await this.#ended;
    while (this.#inHand.size > 0) await Promise.all(this.#inHand);
    await this.#consumer.close();
  }

  async #pull(): Promise<void> {
    const { room } = this.#options;
    for (let failures = 0; !this.#isStopping; ) {
      if (!(await room.reserveOne())) return;
      const consumer = this.#consumer;
      try {
        const messages = await this.#take(consumer);
        failures = 0;
        if (this.#isStopping || messages.length === 0) {
          room.release(Math.max(messages.length, 1));
          await consumer.putBack(messages);
        } else this.#handOver(messages, consumer);
      } catch (error) {
        room.release(1);
        if (!this.#isStopping) await this.#recover(error as Error, (failures += 1));
      }
    }
  }

  /** One message is reserved for already; every further one reserves before it is asked for. */
  async #take(consumer: Consumer): Promise<Message[]> {
    this.#isAsking = true;
    const asked = consumer.next();
    const first = await Promise.race([asked, this.#replaced.raised]).finally(() => (this.#isAsking = false));
    if (!first) {
      // A replaced consumer may still get something; it belongs to whoever listens now.
      asked.then((late) => late && consumer.putBack([late]), () => {});
      return [];
    }
    this.#lastHeard = performance.now();
    this.#patienceMs = this.#options.silenceMs;
    const room = this.#options.room.reserve(this.#batch - 1);
    const more = room === 0 ? [] : await consumer.more(room).catch(() => []);
    this.#options.room.release(room - more.length);
    // Asking for much that is not there costs the server a script each; a full batch says there is more.
    this.#batch = more.length + 1 >= this.#batch ? Math.min(this.#batch * 2, largestBatch) : Math.max(more.length + 1, smallestBatch);
    return [first, ...more];
  }

  #handOver(messages: readonly Message[], consumer: Consumer): void {
    const { receiver, room, onReceived, onReceiverFailed } = this.#options;
    onReceived(messages.length);
    const done = receiver(messages.map(({ ref }) => ref))
      .then(
        () => (room.release(messages.length), this.#settle(messages, consumer)),
        (error: Error) => {
          // Left unsettled they come again when their lock has run out: a pause that suits a database in trouble.
          room.release(messages.length);
          onReceiverFailed(error);
        },
      )
      .finally(() => this.#inHand.delete(done));
    this.#inHand.add(done);
  }

  /** Where many came at once more may wait: for those that still fit, settling also takes. */
  async #settle(messages: readonly Message[], consumer: Consumer): Promise<void> {
    const { room } = this.#options;
    const wanted = this.#isStopping || messages.length === 1 ? 0 : room.reserve(messages.length);
    const next = await consumer.settle(messages, wanted);
    room.release(wanted - next.length);
    if (next.length > 0) this.#handOver(next, consumer);
  }

  /** A worker of BullMQ may sit idle for ever after a failover, and still say that it runs. */
  async #listenForSilence(): Promise<void> {
    const isSilent = () => this.#isAsking && !this.#isStopping && performance.now() - this.#lastHeard >= this.#patienceMs;
    if (!isSilent()) return;
    const consumer = this.#consumer;
    const waiting = await consumer.depth().catch(() => Number.POSITIVE_INFINITY);
    if (waiting === 0 || consumer !== this.#consumer || !isSilent()) return;
    // The next one gets longer: where connecting takes its time, replacing too soon would go on for ever.
    this.#patienceMs = Math.min(this.#patienceMs * 2, this.#options.silenceMs * 8);
    this.#replace();
    this.#options.onRecreated('silent');
  }

  async #recover(error: Error, failures: number): Promise<void> {
    this.#replace();
    this.#options.onRecreated('failed', error);
    await Promise.race([new Promise((resolve) => setTimeout(resolve, Math.min(100 * 2 ** failures, 2_000)).unref()), this.#replaced.raised]);
  }

  #replace(): void {
    this.#lastHeard = performance.now();
    void this.#consumer.close();
    this.#consumer = this.#options.openConsumer();
    const before = this.#replaced;
    this.#replaced = signal();
    before.raise();
  }
}

/** A promise for null that can be resolved from outside. */
function signal(): { readonly raised: Promise<null>; raise(): void } {
  let raise = () => {};
  const raised = new Promise<null>((resolve) => (raise = () => resolve(null)));
  return { raised, raise };
}
