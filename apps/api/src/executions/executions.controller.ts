import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Reply } from '../http-types.ts';
import { canceledAnswer, executionAnswer, executionDetailAnswer, listOf, stepsAnswer, stoppedAnswer, stoppedManyAnswer } from '../openapi/answers.ts';
import { Documented } from '../openapi/documented.ts';
import { ZodPipe } from '../problems/zod.pipe.ts';
import {
  eventsQuery,
  executionListQuery,
  executionQuery,
  retryInput,
  stepsQuery,
  stopManyInput,
  type ExecutionListQuery,
  type ExecutionQuery,
  type StepsQuery,
  type StopManyInput,
} from './execution-queries.ts';
import { ExecutionsService } from './executions.service.ts';
import { ProgressService } from './progress.service.ts';
import { RetriesService } from './retries.service.ts';
import { commitOf } from './server-sent-events.ts';

const unknownExecution = { 404: 'No such execution.' };

@ApiTags('Execution')
@Controller('api/v1/executions')
export class ExecutionsController {
  constructor(
    private readonly executions: ExecutionsService,
    private readonly retries: RetriesService,
    private readonly progress: ProgressService,
  ) {}

  @Get()
  @Documented({ summary: 'Lists executions, newest first', query: executionListQuery, answer: listOf(executionAnswer) })
  list(@Query(new ZodPipe(executionListQuery)) query: ExecutionListQuery) {
    return this.executions.list(query);
  }

  @Post('stop')
  @HttpCode(200)
  @Documented({ summary: 'Stops all executions that match', body: stopManyInput, answer: stoppedManyAnswer })
  stopMany(@Body(new ZodPipe(stopManyInput)) input: StopManyInput) {
    return this.executions.stopMany(input);
  }

  @Get(':id')
  @Documented({ summary: 'Reads an execution', query: executionQuery, answer: executionDetailAnswer, problems: unknownExecution })
  get(@Param('id') id: string, @Query(new ZodPipe(executionQuery)) query: ExecutionQuery) {
    return this.executions.get(id, query);
  }

  @Delete(':id')
  @Documented({ summary: 'Deletes an execution that has ended and answers with it', answer: executionDetailAnswer, problems: { ...unknownExecution, 409: 'It has not ended, or a retry of it refers to it.' } })
  delete(@Param('id') id: string) {
    return this.executions.delete(id);
  }

  @Post(':id/retry')
  @HttpCode(200)
  @Documented({
    summary: 'Runs a failed or canceled execution once more, from where it failed',
    body: retryInput,
    answer: executionDetailAnswer,
    problems: { ...unknownExecution, 409: 'It did not fail.' },
  })
  retry(@Param('id') id: string, @Body(new ZodPipe(retryInput)) { loadWorkflow }: z.output<typeof retryInput>) {
    return this.retries.retry(id, loadWorkflow);
  }

  @Post(':id/stop')
  @HttpCode(200)
  @Documented({ summary: 'Stops an execution', answer: stoppedAnswer, problems: { ...unknownExecution, 409: 'It has ended already.' } })
  stop(@Param('id') id: string) {
    return this.executions.stop(id);
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @Documented({ summary: 'Cancels an execution; may be repeated', answer: canceledAnswer, problems: { ...unknownExecution, 409: 'It has ended otherwise.' } })
  cancel(@Param('id') id: string) {
    return this.executions.cancel(id);
  }

  @Get(':id/steps')
  @Documented({
    summary: 'Lists the runs of an execution in the order in which they were committed, and what is open',
    query: stepsQuery,
    answer: stepsAnswer,
    problems: unknownExecution,
  })
  steps(@Param('id') id: string, @Query(new ZodPipe(stepsQuery)) query: StepsQuery) {
    return this.progress.steps(id, query);
  }

  @Get(':id/events')
  @Documented({
    summary: 'Streams the progress of an execution',
    description: 'Server-sent events: `status` when it changes, `run` for each run that settled (as in steps), `end`. Resumable with Last-Event-ID.',
    query: eventsQuery,
    answer: z.string(),
    contentType: 'text/event-stream',
    problems: unknownExecution,
  })
  async events(
    @Param('id') id: string,
    @Query(new ZodPipe(eventsQuery)) query: z.output<typeof eventsQuery>,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: Reply,
  ): Promise<void> {
    const execution = await this.executions.find(id);
    const events = this.progress.events(execution, commitOf(lastEventId) ?? query.after ?? -1);
    // Proxies that collect an answer before passing it on are asked not to.
    void reply.header('content-type', 'text/event-stream; charset=utf-8').header('cache-control', 'no-cache').header('x-accel-buffering', 'no').send(Readable.from(events));
  }
}
