import type { Item } from '@app/engine';
import { NodeApiError } from '../node-error.ts';

const meanings: { readonly [status: number]: string } = {
  400: 'Bad request - please check your parameters',
  401: 'Authorization failed - please check your credentials',
  402: 'Payment required - perhaps check your payment details',
  403: 'Forbidden - perhaps check your credentials',
  404: 'The resource you are requesting could not be found',
  405: 'Method not allowed - please check the method and the URL',
  429: 'The service is receiving too many requests from you',
  500: 'The service was not able to process your request',
  502: 'Bad gateway - the service failed to handle your request',
  503: 'Service unavailable - try again later or let this node retry automatically',
  504: 'Gateway timed out - perhaps try again later',
};

/** A request that brought no acceptable answer. */
export class HttpFailure extends NodeApiError {
  constructor(
    message: string,
    itemIndex: number,
    /** What an error item shows under `error`; the names in it are those workflows of the n8n dialect look for. */
    readonly shown: { readonly message: string; readonly name: string; readonly code: string; readonly status?: number },
    cause?: unknown,
  ) {
    super(message, {
      itemIndex,
      code: 'http_request_failed',
      description: shown.message,
      ...(shown.status === undefined ? {} : { context: { status: shown.status } }),
      ...(cause === undefined ? {} : { cause }),
    });
  }
}

export function statusFailure(status: number, body: string, itemIndex: number): HttpFailure {
  const message = `${status} - ${JSON.stringify(body)}`;
  const code = status >= 500 ? 'ERR_BAD_RESPONSE' : 'ERR_BAD_REQUEST';
  return new HttpFailure(meanings[status] ?? message, itemIndex, { message, name: 'AxiosError', code, status });
}

/** Nothing came back at all: refused, timed out, no such host. */
export function transportFailure(error: unknown, url: URL, itemIndex: number): HttpFailure {
  const code = codeOf(error);
  const message = `${transportMeaning(code)} (${code}) [${url.host}]`;
  return new HttpFailure(message, itemIndex, { message, name: 'AxiosError', code }, error);
}

function transportMeaning(code: string): string {
  if (code === 'ECONNREFUSED') return 'The service refused the connection - perhaps it is offline';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The host could not be found - please check the URL';
  if (code === 'ECONNABORTED') return 'The request timed out - perhaps the service is offline or the time-out too short';
  return 'The connection failed';
}

function codeOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'ECONNABORTED';
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== 'string') return 'ERR_NETWORK';
  return /TIMEOUT/.test(code) ? 'ECONNABORTED' : code;
}

/** The error item of a failed request: `error` is an object here, not a text. */
export const failureItem = (failure: HttpFailure, itemIndex: number): Item => ({
  json: { error: { ...failure.shown } },
  pairedItem: { item: itemIndex },
});
