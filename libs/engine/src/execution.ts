/** One run of a workflow version. */
export type ExecutionStatus = 'queued' | 'running' | 'waiting' | 'paused' | 'succeeded' | 'failed' | 'canceled';

/** What caused an end that is not a success. */
export type EndCause = 'node-failed' | 'crashed' | 'timeout' | 'user' | 'starved' | 'budget' | 'caller-ended';

const TERMINAL: ReadonlySet<ExecutionStatus> = new Set(['succeeded', 'failed', 'canceled']);

/** Terminal states never change. */
export function isTerminal(status: ExecutionStatus): boolean {
  return TERMINAL.has(status);
}
