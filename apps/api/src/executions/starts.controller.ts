import { Body, Controller, Headers, HttpCode, Param, Post } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import { parseTraceparent } from '@app/telemetry';
import { acceptedAnswer } from '../openapi/answers.ts';
import { Documented } from '../openapi/documented.ts';
import { ApiProblem } from '../problems/api-problem.ts';
import { ZodPipe } from '../problems/zod.pipe.ts';
import { startInput, type StartInput } from './start-input.ts';
import { StartsService } from './starts.service.ts';

@ApiTags('Execution')
@Controller('api/v1/workflows/:id/executions')
export class StartsController {
  constructor(private readonly starts: StartsService) {}

  @Post()
  @HttpCode(202)
  @ApiHeader({ name: 'Idempotency-Key', required: false, description: 'The same as idempotencyKey in the body.' })
  @ApiHeader({ name: 'traceparent', required: false, description: 'W3C trace context: the execution becomes part of this trace.' })
  @Documented({
    summary: 'Starts an execution',
    description: 'Answers once the execution is durable; it runs whatever happens to this process.',
    body: startInput,
    answer: acceptedAnswer,
    status: 202,
    problems: {
      400: 'The request or the start is not valid.',
      404: 'No such workflow.',
      409: 'Nothing is published for this mode, or the workflow is archived.',
      413: 'Too many items, or too large a body.',
      422: 'The idempotency key was used with another request.',
    },
  })
  start(
    @Param('id') id: string,
    @Body(new ZodPipe(startInput)) input: StartInput,
    @Headers('idempotency-key') key: string | undefined,
    @Headers('traceparent') traceparent: string | undefined,
  ) {
    return this.starts.accept(id, key === undefined ? input : withKey(input, key), parseTraceparent(traceparent) ? traceparent : undefined);
  }
}

function withKey(input: StartInput, key: string): StartInput {
  if (key.length === 0 || key.length > 255)
    throw new ApiProblem({
      status: 400,
      code: 'invalid_value',
      message: 'The header Idempotency-Key must have 1 to 255 characters.',
      suggestion: 'Send a shorter key, for instance a UUID.',
    });
  if (input.idempotencyKey === undefined || input.idempotencyKey === key) return { ...input, idempotencyKey: key };
  throw new ApiProblem({
    status: 400,
    code: 'two_idempotency_keys',
    message: 'The header Idempotency-Key and the body name different keys.',
    path: '$.idempotencyKey',
    suggestion: 'Send one of them.',
  });
}
