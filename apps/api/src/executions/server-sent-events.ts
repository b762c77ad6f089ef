import type { JsonObject } from '@app/engine';

/** An event with an id is one that a client may go on after. */
export function eventOf(name: string, data: JsonObject, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A comment: keeps the connection alive and means nothing. */
export const heartbeat = ': still here\n\n';

/** `Last-Event-ID` as a commit number; undefined for anything else. */
export function commitOf(lastEventId: string | undefined): number | undefined {
  return lastEventId !== undefined && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined;
}
