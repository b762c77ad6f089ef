import { HttpException } from '@nestjs/common';
import { Conflict, NotFound, StoreUnavailable } from '@app/store';
import { ApiProblem } from './api-problem.ts';

/** Translates whatever was thrown, once, at the boundary. Undefined: a bug of ours, about which a client learns nothing. */
export function problemOf(error: unknown): ApiProblem | undefined {
  if (error instanceof ApiProblem) return error;
  if (error instanceof NotFound) return new ApiProblem({ status: 404, code: error.code, message: error.message, suggestion: 'Check the id; lists show those there are.' });
  if (error instanceof Conflict) return new ApiProblem({ status: 409, code: error.code, message: error.message });
  if (error instanceof StoreUnavailable)
    return new ApiProblem({
      status: 503,
      code: error.code,
      message: 'The database does not answer at the moment. Nothing was changed.',
      suggestion: 'Try again in a second; with an idempotency key that is always safe.',
      retryAfter: 1,
    });
  if (error instanceof HttpException && error.getStatus() < 500) return problemOfStatus(error.getStatus(), error.message);
  return problemOfFastify(error);
}

function problemOfFastify(error: unknown): ApiProblem | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string' || !error.code.startsWith('FST_')) return undefined;
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  return status < 500 ? problemOfStatus(status, error.message) : undefined;
}

function problemOfStatus(status: number, message: string): ApiProblem {
  if (status === 413)
    return new ApiProblem({
      status,
      code: 'body_too_large',
      message: 'The body is larger than this server takes.',
      suggestion: 'Send less, or raise BODY_LIMIT_BYTES of the API.',
    });
  if (status === 415)
    return new ApiProblem({
      status,
      code: 'unsupported_content_type',
      message: 'The body is not JSON by its content type.',
      suggestion: 'Send the header Content-Type: application/json.',
    });
  if (status === 404) return new ApiProblem({ status, code: 'unknown_route', message: `${message}.`, suggestion: 'GET /api/v1/openapi.json lists all routes.' });
  return new ApiProblem({ status, code: status >= 500 ? 'internal' : 'bad_request', message });
}
