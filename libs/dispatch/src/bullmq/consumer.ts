import { Job } from 'bullmq';
import { randomUUID } from 'node:crypto';
import { refOfMessage, type ActivationRef } from '../activation-ref.ts';
import { within } from '../within.ts';
import type { AnyWorker } from './backend.ts';

export interface Message {
  readonly ref: ActivationRef;
  readonly job: Job;
}

/**
 * How long anything but the wait for a message may take before the connection counts as dead. Every call has this
 * bound: a connection that is replaced meanwhile would leave its callers waiting for ever.
 */
const answerMs = 1_000;

/** One BullMQ worker, pulled by hand: nothing is taken that was not asked for, and no lock is ever renewed. */
export class Consumer {
  readonly #worker: AnyWorker;
  readonly #queue: string;
  readonly #token = randomUUID();

  constructor(worker: AnyWorker, queue: string) {
    this.#worker = worker;
    this.#queue = queue;
    // Failures show where a message is asked for; the event would only end the process for want of a listener.
    worker.on('error', () => {});
    void worker.startStalledCheckTimer().catch(() => {});
  }

  /** Waits for a message for up to one blocking wait; null when none came. */
  async next(): Promise<Message | null> {
    return await this.#toMessage(await this.#worker.getNextJob(this.#token, { block: true }));
  }

  /** What is there at once, up to `most`. */
  async more(most: number): Promise<Message[]> {
    const taking = Promise.all(Array.from({ length: most }, () => this.#worker.getNextJob(this.#token, { block: false })));
    const jobs = await within(answerMs, 'Taking more messages', taking);
    const messages = await Promise.all(jobs.map((job) => this.#toMessage(job)));
    return messages.filter((message) => message !== null);
  }

  /**
   * The messages did their work and vanish; one that cannot be settled comes again, which is harmless. Answers with up
   * to `next` further messages: taken in the same step as a settled one goes, they save a round trip and, on Postgres,
   * a transaction each.
   */
  async settle(messages: readonly Message[], next: number): Promise<Message[]> {
    const settling = messages.map(({ job }, index) => job.moveToCompleted(null, this.#token, index < next));
    const settled = await Promise.allSettled(settling.map((one) => within(answerMs, 'Settling a message', one)));
    const taken = settled.map((result) => (result.status === 'fulfilled' && Array.isArray(result.value) ? this.#ofRow(result.value) : null));
    const further = await Promise.all(taken.map((job) => this.#toMessage(job)));
    return further.filter((message) => message !== null);
  }

  /** Gives messages back untouched, for another worker to take at once. */
  async putBack(messages: readonly Message[]): Promise<void> {
    await Promise.allSettled(messages.map(({ job }) => within(answerMs, 'Putting a message back', job.moveToWait(this.#token))));
  }

  /** Ends a blocking wait at once; `next` then answers with null, or with what it just got. */
  async interrupt(): Promise<void> {
    await within(answerMs, 'Ending the wait', this.#worker.getBackend().disconnectBlocking(false)).catch(() => {});
  }

  /** How many messages wait; rejects when the connection does not answer. */
  async depth(): Promise<number> {
    const counts = await within(answerMs, 'Counting the queue', this.#worker.getBackend().getCounts(['wait', 'prioritized']));
    return (counts as number[]).reduce((sum, count) => sum + count, 0);
  }

  async close(): Promise<void> {
    await within(2_000, 'Closing the consumer', this.#worker.close(true)).catch(() => this.#worker.disconnect().catch(() => {}));
  }

  #ofRow([row, id]: unknown[]): Job | null {
    return row ? Job.fromJSON(this.#worker, row as Parameters<typeof Job.fromJSON>[1], id as string) : null;
  }

  async #toMessage(job: Job | null | undefined): Promise<Message | null> {
    if (!job?.id) return null;
    const ref = refOfMessage(job.id, this.#queue, job.priority ?? 0);
    if (ref) return { ref, job };
    // Nothing of ours: it would come back for ever if it stayed.
    await within(answerMs, 'Removing a message', job.moveToCompleted(null, this.#token, false)).catch(() => {});
    return null;
  }
}
