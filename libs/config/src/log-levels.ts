import type { Env } from './load-env.ts';

const LEVELS = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'] as const;

/** Nest's names of the levels that are written at LOG_LEVEL; what ends a process always is. */
export function logLevels(level: Env['LOG_LEVEL']): (typeof LEVELS)[number][] {
  return LEVELS.slice(0, { silent: 1, error: 2, warn: 3, info: 4, debug: 6 }[level]);
}
