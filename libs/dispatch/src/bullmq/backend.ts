import type { Queue, Worker } from 'bullmq';

// BullMQ types its objects by their backend, and those types do not convert; what we call is the same on both.
/* eslint-disable @typescript-eslint/no-explicit-any */
export type AnyQueue = Queue<any, any, string, any, any, string, any, any>;
export type AnyWorker = Worker<any, any, string, any, any, any>;
/* eslint-enable @typescript-eslint/no-explicit-any */

/**
 * What differs between BullMQ on Redis and BullMQ on Postgres: how a connection is made. Queues and workers are made
 * anew whenever one stops answering, so this is a factory and keeps nothing.
 */
export interface BullmqBackend {
  readonly kind: 'redis' | 'postgres';
  /** From how many references on one bulk insertion is cheaper than as many single ones. */
  readonly bulkFrom: number;
  /** For insertions: must fail at once when the server is away, instead of keeping commands for later. */
  openQueue(name: string): AnyQueue;
  /** For taking: may wait as long as the server is away. Does not run by itself. */
  openWorker(name: string, timing: WorkerTiming): AnyWorker;
  /** What an operator should change about the server; empty when it is fit, or cannot be asked. */
  findMisconfiguration(): Promise<string[]>;
}

export interface WorkerTiming {
  /** A message that is not settled after this time counts as abandoned. */
  readonly lockMs: number;
  /** How often abandoned messages are looked for. */
  readonly abandonedCheckMs: number;
  /** How long one blocking wait for a message lasts. */
  readonly blockMs: number;
}

/**
 * The options of every worker of ours. BullMQ neither retries nor fails our messages: `maxStalledCount` is out of
 * reach because Postgres counts attempts, and two deployments in a row must not make a message vanish.
 */
export const workerOptions = ({ lockMs, abandonedCheckMs, blockMs }: WorkerTiming) => ({
  autorun: false,
  skipLockRenewal: true,
  lockDuration: lockMs,
  stalledInterval: abandonedCheckMs,
  maxStalledCount: 1_000_000,
  drainDelay: blockMs / 1_000,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
});

/** BullMQ keeps a stream of events that nobody here reads; a short one. */
export const eventsKept = { streams: { events: { maxLen: 100 } } };
