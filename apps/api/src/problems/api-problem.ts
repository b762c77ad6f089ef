import type { Problem } from '@app/engine';

export interface ProblemDetails {
  readonly status: number;
  /** Stable, for programs. */
  readonly code: string;
  /** What is wrong and where. */
  readonly message: string;
  /** JSON path into the request, where the fault has a place there. */
  readonly path?: string;
  /** What to do about it. */
  readonly suggestion?: string;
  /** Everything that is wrong, when it is more than one thing. */
  readonly problems?: readonly Problem[];
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number;
}

const titles: { readonly [status: number]: string } = {
  400: 'Bad request',
  401: 'Not authenticated',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Too large',
  415: 'Unsupported content type',
  422: 'Not to be done',
  500: 'Internal error',
  503: 'Not available',
};

/** Messages may quote what a request said, which may be long. */
const longestMessage = 1_000;

const cut = (text: string): string => (text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text);

/** An answer that is not the one the client hoped for: expected, and said in full. */
export class ApiProblem extends Error {
  readonly details: ProblemDetails;

  constructor(details: ProblemDetails) {
    super(cut(details.message));
    this.details = { ...details, message: this.message };
  }

  get status(): number {
    return this.details.status;
  }

  /** RFC 9457, with `message` beside `detail`: clients of n8n read that one. */
  toBody(): object {
    const { status, code, message, path, suggestion, problems } = this.details;
    return { type: `urn:argosy:problem:${code}`, title: titles[status] ?? 'Error', status, code, detail: message, message, path, suggestion, problems };
  }
}

export const problemContentType = 'application/problem+json';

export const notFound = (what: string, id: string, suggestion: string): ApiProblem =>
  new ApiProblem({ status: 404, code: 'not_found', message: `There is no ${what} ${JSON.stringify(id)}.`, suggestion });

export const conflict = (code: string, message: string, suggestion: string): ApiProblem => new ApiProblem({ status: 409, code, message, suggestion });

/** 400 for a document or request with these problems; the first error is told in the message, all are listed. */
export function refused(what: string, problems: readonly Problem[]): ApiProblem {
  const first = problems.find((problem) => problem.severity === 'error') ?? problems[0];
  const more = problems.filter((problem) => problem.severity === 'error').length - 1;
  return new ApiProblem({
    status: 400,
    code: first?.code ?? 'bad_request',
    message: `${what}: ${first?.message ?? 'refused.'}${more > 0 ? ` (and ${more} more, see "problems")` : ''}`,
    path: first?.path,
    suggestion: first?.suggestion,
    problems,
  });
}
