import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Reply } from '../http-types.ts';
import { ApiProblem, problemContentType } from './api-problem.ts';
import { problemOf } from './problem-of.ts';

@Catch()
export class ProblemFilter implements ExceptionFilter {
  readonly #logger = new Logger('api');

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<Reply>();
    const problem = problemOf(error) ?? this.#unexpected(error);
    if (problem.details.retryAfter !== undefined) void reply.header('retry-after', String(problem.details.retryAfter));
    void reply.status(problem.status).header('content-type', problemContentType).send(JSON.stringify(problem.toBody()));
  }

  #unexpected(error: unknown): ApiProblem {
    const reference = Math.random().toString(36).slice(2, 10);
    this.#logger.error(`[${reference}] ${error instanceof Error ? error.stack : String(error)}`);
    return new ApiProblem({
      status: 500,
      code: 'internal',
      message: `Something went wrong that should not have (reference ${reference}).`,
      suggestion: 'The log of the API says more under this reference.',
    });
  }
}
