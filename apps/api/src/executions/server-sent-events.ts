import type { JsonObject } from '@app/engine';
import { ApiProblem } from '../problems/api-problem.ts';
import { mostCommits } from './execution-queries.ts';

/** An event with an id is one that a client may go on after. */
export function eventOf(name: string, data: JsonObject, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A comment: keeps the connection alive and means nothing. */
export const heartbeat = ': still here\n\n';

/** The commit number in a header `Last-Event-ID`; undefined where there is none. Throws for anything else. */
export function commitOf(lastEventId: string | undefined): number | undefined {
  if (lastEventId === undefined || lastEventId === '') return undefined;
  if (/^\d{1,10}$/.test(lastEventId) && Number(lastEventId) <= mostCommits) return Number(lastEventId);
  throw new ApiProblem({
    status: 400,
    code: 'invalid_value',
    message: 'The header Last-Event-ID must be the id of an event of this stream.',
    suggestion: 'Leave it out to begin with the first event.',
  });
}
