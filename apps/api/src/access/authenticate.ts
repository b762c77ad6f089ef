import type { IncomingHttpHeaders } from 'node:http';
import { ApiProblem } from '../problems/api-problem.ts';
import type { ApiKeys, Standing } from './api-keys.ts';

/**
 * Decides on a request by its headers alone, before its body is read. Undefined: let it in.
 *
 * Without keys the API is open, which start-up allows on a loopback address only. There a browser is the remaining way
 * in: a page whose name was rebound to 127.0.0.1 still sends its own name as host, and is turned away by it.
 *
 * Rejects with StoreUnavailable: nobody is let in on a guess.
 */
export async function authenticate(headers: IncomingHttpHeaders, keys: ApiKeys): Promise<ApiProblem | undefined> {
  if (!(await keys.areRequired())) {
    if (isLoopbackName(headers.host)) return undefined;
    return new ApiProblem({
      status: 403,
      code: 'foreign_host',
      message: 'Without an API key only requests to localhost are answered.',
      suggestion: 'Make a key with "argosy api-key create", or set ARGOSY_API_KEY, to reach the API by another name.',
    });
  }
  const key = keyOf(headers);
  if (key === undefined)
    return new ApiProblem({
      status: 401,
      code: 'key_missing',
      message: "'X-N8N-API-KEY' header required.",
      suggestion: 'Send the API key as X-N8N-API-KEY or as Authorization: Bearer <key>.',
    });
  return refusalOf(await keys.standingOf(key));
}

function refusalOf(standing: Standing): ApiProblem | undefined {
  switch (standing) {
    case 'good':
      return undefined;
    case 'revoked':
      return new ApiProblem({ status: 401, code: 'key_revoked', message: 'This API key was revoked.', suggestion: 'Ask for another one; "argosy api-key create" makes it.' });
    case 'unknown':
      return new ApiProblem({
        status: 401,
        code: 'key_unknown',
        message: 'This API key is not known here.',
        suggestion: 'Compare it with "argosy api-key list" and with ARGOSY_API_KEY of the API process.',
      });
  }
}

export const isLoopbackAddress = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);

const isLoopbackName = (host: string | undefined): boolean => isLoopbackAddress((host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'));

function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const named = headers['x-n8n-api-key'];
  if (typeof named === 'string' && named !== '') return named;
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
}
