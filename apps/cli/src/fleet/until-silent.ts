import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetProcess } from './fleet-process.ts';

export interface Liveness {
  readonly url: string;
  readonly everyMs: number;
  /** Unanswered questions in a row after which a process is taken for blocked. */
  readonly misses: number;
}

/** A minute without an answer: leases are long gone by then, and garbage collection or a slow disk never takes so long. */
export const livenessOf = (origin: string): Liveness => ({ url: `${origin}/livez`, everyMs: 5_000, misses: 12 });

/** One that is still loading may take so many times as long. */
const STARTING = 3;

/**
 * Resolves when the process has not answered for too long: its main thread is blocked, and nothing inside it could end
 * it. Ends quietly with the process. Questions are counted, not time: a machine that slept is no process that hangs.
 */
export async function untilSilent(process: FleetProcess, { url, everyMs, misses }: Liveness): Promise<void> {
  let limit = misses * STARTING;
  for (let missed = 0; missed < limit; ) {
    await sleep(everyMs, undefined, { ref: false });
    if (process.hasEnded) return;
    const answered = await fetch(url, { signal: AbortSignal.timeout(everyMs) }).then((response) => response.arrayBuffer(), () => null);
    missed = answered ? 0 : missed + 1;
    if (answered) limit = misses;
  }
}
