import type { IncomingHttpHeaders } from 'node:http';
import { ApiProblem } from '../problems/api-problem.ts';
import type { ApiKeys } from './api-keys.ts';

/**
 * Decides on a request by its headers alone, before its body is read. Undefined: let it in.
 *
 * Without keys the API is open, which start-up allows on a loopback address only. There a browser is the remaining way
 * in: a page whose name was rebound to 127.0.0.1 still sends its own name as host, and is turned away by it.
 */
export function authenticate(headers: IncomingHttpHeaders, keys: ApiKeys): ApiProblem | undefined {
  if (keys.isEmpty) {
    if (isLoopbackName(headers.host)) return undefined;
    return new ApiProblem({
      status: 403,
      code: 'foreign_host',
      message: 'Without an API key only requests to localhost are answered.',
      suggestion: 'Set ARGOSY_API_KEY to reach the API by another name.',
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
  if (!keys.has(key))
    return new ApiProblem({ status: 401, code: 'key_unknown', message: 'This API key is not known here.', suggestion: 'Compare it with ARGOSY_API_KEY of the API process.' });
  return undefined;
}

export const isLoopbackAddress = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);

const isLoopbackName = (host: string | undefined): boolean => isLoopbackAddress((host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'));

function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const named = headers['x-n8n-api-key'];
  if (typeof named === 'string' && named !== '') return named;
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
}
