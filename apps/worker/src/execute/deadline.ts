import type { ClaimedActivation } from '@app/store';
import type { WorkerSettings } from '../worker-kit.ts';
import type { PreparedNode } from './prepared-node.ts';

/** The node did not end within its time. Trying again may help. */
export class NodeTimeout extends Error {
  override readonly name = 'NodeTimeout';
  readonly code = 'node_timeout';
  constructor(ms: number) {
    super(`The node did not end within ${ms / 1000} seconds. Give it less to do, or raise its time limit.`);
  }
}

/** The whole execution is out of time. Not the node's failure: who meets it lets the store end the execution. */
export class ExecutionOverdue extends Error {
  override readonly name = 'ExecutionOverdue';
  readonly code = 'timeout';
  readonly retryable = false;
  constructor() {
    super('The execution ran longer than its time-out allows.');
  }
}

/** Runs a node until it ends, its time is up, or the worker has to let go of it; the last two abort its signal. */
export async function withDeadline<T>(settings: WorkerSettings, prepared: PreparedNode, activation: ClaimedActivation, signal: AbortSignal, abort: AbortController, run: () => Promise<T>): Promise<T> {
  const own = prepared.node.timeoutMs ?? settings.nodeDeadlineMs;
  // A hair later than the deadline: the store, whose clock it is, must find it passed.
  const execution = activation.executionDeadline === null ? Infinity : Math.max(1, activation.executionDeadline - activation.claimedAt + 5);
  return new Promise<T>((resolve, reject) => {
    const stop = (reason: unknown) => {
      abort.abort(reason);
      reject(reason);
    };
    const timer = setTimeout(() => stop(execution < own ? new ExecutionOverdue() : new NodeTimeout(own)), Math.min(own, execution));
    const onAbort = () => stop(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    run()
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      });
  });
}
