import type { JsonObject } from './json.ts';
import type { Program } from './program.ts';
import { restrict } from './restrict.ts';

/** What one execution may change about its program. Stored with it, applied by whoever steps it. */
export interface RunOptions {
  /** Nodes it is limited to; absent: all. */
  readonly only?: readonly number[];
  /** Node behind which nothing runs. */
  readonly stopAt?: number;
  readonly scheduling?: 'serial' | 'parallel';
}

/** How long an execution of it may run, in milliseconds; null: as long as it takes. */
export function timeoutOf(program: Pick<Program, 'attributes'>): number | null {
  const timeout = program.attributes['executionTimeoutMs'];
  return typeof timeout === 'number' ? timeout : null;
}

/** The program as an execution with these options runs it; the same object when they change nothing. */
export function programFor(program: Program, options: JsonObject): Program {
  const { only, stopAt, scheduling } = options;
  const limited = restrict(program, Array.isArray(only) ? new Set(only as number[]) : null, typeof stopAt === 'number' ? stopAt : null);
  if (scheduling !== 'serial' && scheduling !== 'parallel') return limited;
  const isSerial = scheduling === 'serial';
  return { ...limited, policies: { ...limited.policies, maxConcurrency: isSerial ? 1 : null, suspendedHoldsPlace: isSerial } };
}
