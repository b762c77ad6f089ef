import type { Suspension } from '@app/engine';

/**
 * How long an execution may run, as n8n counts it: not while it lies in the queue, and from the beginning again whenever
 * it goes on after a wait of the whole. The deadline that is stored is the earliest moment at which it may be over; who
 * finds it passed asks here whether it really is. That way no step has to touch it.
 */
export interface Progress {
  /** When the execution's first node began; null: none has. */
  readonly beganAt: number | null;
  /** Whether any step has been committed since its beginning. */
  readonly hasMoved: boolean;
  /** As the last step left it. */
  readonly isWaiting: boolean;
  readonly activations: readonly OpenWork[];
}

export interface OpenWork {
  /** Parked until this time, or until a signal (null); undefined: at work. */
  readonly parkedUntil: number | null | undefined;
  /** When its wait ended; null: it did not wait, or not for long. */
  readonly wokenAt: number | null;
}

/** n8n sits shorter waits out in its process, and so on the execution's time. */
export const SHORT_WAIT_MS = 65_000;

export type Wait = Pick<Suspension, 'wait' | 'until'>;

/**
 * Whether the execution's time stands still while an activation is parked. Whoever waits for a called execution or for a
 * moment is at work. A wait for somebody else is long from its beginning, whatever its limit.
 */
export function isLongWait({ wait, until }: Wait, startedAt: number | null): boolean {
  if (wait === 'children') return false;
  return wait !== 'time' || until === null || until - (startedAt ?? 0) >= SHORT_WAIT_MS;
}

export interface Activity {
  readonly status: 'ready' | 'running' | 'waiting';
  readonly startedAt: number | null;
  readonly readyAt: number;
  /** What it waits for, or waited for last; null: it never did. */
  readonly wait: Wait | null;
  readonly resumed: boolean;
}

export function openWork({ status, startedAt, readyAt, wait, resumed }: Activity): OpenWork {
  const isLong = wait !== null && isLongWait(wait, startedAt);
  return { parkedUntil: status === 'waiting' && isLong ? wait.until : undefined, wokenAt: resumed && isLong ? readyAt : null };
}

/** When a wait for a signal ends is not known: it is looked at again after an hour, and the signal restarts the time. */
const UNKNOWN_MS = 3_600_000;

/** A later deadline for an execution that seems to be past its own; null: it is overdue. */
export function laterDeadline({ beganAt, hasMoved, isWaiting, activations }: Progress, timeoutMs: number, now: number): number | null {
  if (beganAt === null) return now + timeoutMs;
  if (activations.length > 0 && activations.every(({ parkedUntil }) => parkedUntil !== undefined)) {
    return Math.max(now, Math.min(now + UNKNOWN_MS, ...activations.flatMap(({ parkedUntil }) => parkedUntil ?? []))) + timeoutMs;
  }
  const restarts = [...(hasMoved ? [] : [beganAt]), ...(isWaiting ? activations.flatMap(({ wokenAt }) => wokenAt ?? []) : [])];
  const end = Math.max(...restarts, -Infinity) + timeoutMs;
  return end > now ? end : null;
}
