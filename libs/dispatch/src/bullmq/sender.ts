import { messageId, type ActivationRef } from '../activation-ref.ts';
import { within } from '../within.ts';
import type { AnyQueue } from './backend.ts';

/** One insertion carries at most this many; a fan-out of 10,000 becomes ten of them. */
const bulkLimit = 1_000;

/** After a failure nothing is tried for this long: a commit must not wait a second for a queue known to be away. */
const pauseMs = 500;

export interface SenderOptions {
  open(): AnyQueue;
  /** A queue that somebody else made and closes; used until it fails. */
  first?: AnyQueue;
  timeoutMs: number;
  bulkFrom: number;
  onSent(count: number, seconds: number): void;
  onFailed(count: number, error: Error): void;
}

interface Batch {
  refs: ActivationRef[];
  readonly settled: Promise<void>;
  settle(): void;
}

/**
 * Inserts references into one queue. One insertion is under way at a time and the next gathers meanwhile, so that
 * batches grow with the load; an idle sender inserts in the same turn of the event loop.
 */
export class Sender {
  readonly #options: SenderOptions;
  #queue: AnyQueue;
  #isOwn: boolean;
  #next: Batch | null = null;
  #isBusy = false;
  #pausedUntil = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#isOwn = options.first === undefined;
    this.#queue = options.first ?? options.open();
    this.#queue.on('error', ignore);
  }

  /** The queue to ask questions; a different one after a failure. */
  get queue(): AnyQueue {
    return this.#queue;
  }

  get isPaused(): boolean {
    return performance.now() < this.#pausedUntil;
  }

  send(refs: readonly ActivationRef[]): Promise<void> {
    if (this.isPaused) {
      this.#options.onFailed(refs.length, new Error('the queue was away a moment ago'));
      return Promise.resolve();
    }
    this.#next ??= newBatch();
    this.#next.refs.push(...refs);
    const { settled } = this.#next;
    if (!this.#isBusy) void this.#drain();
    return settled;
  }

  /** Resolves when everything handed in is inserted or given up, which takes no longer than one time-out. */
  async stop(): Promise<void> {
    await this.#next?.settled;
    while (this.#isBusy) await new Promise((resolve) => setTimeout(resolve, 5));
    if (this.#isOwn) await close(this.#queue);
  }

  async #drain(): Promise<void> {
    this.#isBusy = true;
    // Everything that the present turn of the event loop still sends joins the batch.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (this.#next) {
      const batch = this.#next;
      this.#next = null;
      for (let at = 0; at < batch.refs.length; at += bulkLimit) await this.#insert(batch.refs.slice(at, at + bulkLimit));
      batch.settle();
    }
    this.#isBusy = false;
  }

  async #insert(refs: readonly ActivationRef[]): Promise<void> {
    if (this.isPaused) return this.#options.onFailed(refs.length, new Error('the queue was away a moment ago'));
    const begun = performance.now();
    try {
      await within(this.#options.timeoutMs, 'Inserting into the queue', this.#add(refs.map(toJob)));
      this.#options.onSent(refs.length, (performance.now() - begun) / 1_000);
    } catch (error) {
      this.#renew();
      this.#options.onFailed(refs.length, error as Error);
    }
  }

  async #add(jobs: ReturnType<typeof toJob>[]): Promise<unknown> {
    if (jobs.length >= this.#options.bulkFrom) return await this.#queue.addBulk(jobs);
    return await Promise.all(jobs.map(({ name, data, opts }) => this.#queue.add(name, data, opts)));
  }

  /**
   * A failed connection is replaced, not trusted to recover: BullMQ remembers a first connection that failed and
   * rejects for ever, and a half-open socket looks healthy.
   */
  #renew(): void {
    this.#pausedUntil = performance.now() + pauseMs;
    if (this.#isOwn) void close(this.#queue);
    this.#isOwn = true;
    this.#queue = this.#options.open();
    this.#queue.on('error', ignore);
  }
}

function toJob(ref: ActivationRef) {
  return {
    name: 'activation',
    data: null,
    opts: { jobId: messageId(ref), removeOnComplete: true, removeOnFail: true, ...(ref.priority > 0 ? { priority: ref.priority } : {}) },
  };
}

function newBatch(): Batch {
  let settle = () => {};
  const settled = new Promise<void>((resolve) => (settle = resolve));
  return { refs: [], settled, settle };
}

/** Closing politely waits for a server that may be away; a second of that is enough. */
async function close(queue: AnyQueue): Promise<void> {
  await within(1_000, 'Closing the queue', queue.close()).catch(() => queue.disconnect().catch(ignore));
}

/** Errors are seen where a command fails; the event would only end the process for want of a listener. */
function ignore(): void {}
