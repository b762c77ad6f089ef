import { StoreUnavailable } from '../errors.ts';
import { failureOf } from '../postgres/failure.ts';

/** Prisma's words for: not reachable, timed out, connection closed, no connection to be had. */
const GONE = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024']);

/** What Prisma throws, with the store's own error where the database is away. */
export function asStoreError(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error;
  const isGone = GONE.has(String((error as { code?: unknown } | null)?.code)) || failureOf(error) === 'lost';
  return isGone ? new StoreUnavailable('read or write workflows', error) : error;
}
