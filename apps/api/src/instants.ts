import type { Instant } from '@app/engine';

/** As n8n writes moments: ISO 8601 in UTC. A moment that Date cannot hold counts as the furthest that it can. */
export const isoOf = (instant: Instant): string => new Date(Math.min(instant, 8.64e15)).toISOString();

export const isoOrNull = (instant: Instant | null): string | null => (instant === null ? null : isoOf(instant));
