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
  /** Parked until this time, or until a signal (null); undefined: not parked, or waiting for a called execution, which is work. */
  readonly parkedUntil: number | null | undefined;
  /** When its wait ended; null: it never waited. */
  readonly wokenAt: number | null;
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
