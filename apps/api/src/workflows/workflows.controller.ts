import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { pageQuery } from '../http-schemas.ts';
import { listOf, versionAnswer, workflowAnswer } from '../openapi/answers.ts';
import { Documented } from '../openapi/documented.ts';
import { ZodPipe } from '../problems/zod.pipe.ts';
import { publishInput, updateQuery, workflowInput, workflowListQuery, workflowQuery, type PublishInput, type WorkflowInput, type WorkflowListQuery } from './workflow-input.ts';
import { WorkflowsService } from './workflows.service.ts';

const unknownWorkflow = { 404: 'No such workflow.' };

@ApiTags('Workflow')
@Controller('api/v1/workflows')
export class WorkflowsController {
  constructor(private readonly workflows: WorkflowsService) {}

  @Get()
  @Documented({ summary: 'Lists workflows', query: workflowListQuery, answer: listOf(workflowAnswer) })
  list(@Query(new ZodPipe(workflowListQuery)) query: WorkflowListQuery) {
    return this.workflows.list(query);
  }

  @Post()
  @HttpCode(200)
  @Documented({ summary: 'Creates a workflow', body: workflowInput, answer: workflowAnswer, problems: { 400: 'The document has faults; all of them are listed in `problems`.' } })
  create(@Body(new ZodPipe(workflowInput)) input: WorkflowInput) {
    return this.workflows.create(input);
  }

  @Get(':id')
  @Documented({ summary: 'Reads a workflow: its newest version', query: workflowQuery, answer: workflowAnswer, problems: unknownWorkflow })
  get(@Param('id') id: string, @Query(new ZodPipe(workflowQuery)) query: z.output<typeof workflowQuery>) {
    return this.workflows.get(id, query);
  }

  @Put(':id')
  @Documented({
    summary: 'Saves a new version of a workflow',
    query: updateQuery,
    body: workflowInput,
    answer: workflowAnswer,
    problems: { ...unknownWorkflow, 400: 'The document has faults.', 409: 'The workflow is archived.' },
  })
  update(@Param('id') id: string, @Body(new ZodPipe(workflowInput)) input: WorkflowInput, @Query(new ZodPipe(updateQuery)) query: z.output<typeof updateQuery>) {
    return this.workflows.update(id, input, query.publishIfActive);
  }

  @Delete(':id')
  @Documented({ summary: 'Deletes a workflow and answers with it', answer: workflowAnswer, problems: { ...unknownWorkflow, 409: 'Executions of it are open.' } })
  delete(@Param('id') id: string) {
    return this.workflows.delete(id);
  }

  @Post(':id/activate')
  @HttpCode(200)
  @Documented({
    summary: 'Publishes a version: production starts use it',
    body: publishInput,
    answer: workflowAnswer,
    problems: { ...unknownWorkflow, 409: 'The workflow is archived.' },
  })
  activate(@Param('id') id: string, @Body(new ZodPipe(publishInput)) input: PublishInput) {
    return this.workflows.publish(id, input);
  }

  @Post(':id/publish')
  @HttpCode(200)
  @Documented({ summary: 'The same as activate', body: publishInput, answer: workflowAnswer, problems: { ...unknownWorkflow, 409: 'The workflow is archived.' } })
  publish(@Param('id') id: string, @Body(new ZodPipe(publishInput)) input: PublishInput) {
    return this.workflows.publish(id, input);
  }

  @Post(':id/deactivate')
  @HttpCode(200)
  @Documented({ summary: 'Takes a workflow out of production', answer: workflowAnswer, problems: unknownWorkflow })
  deactivate(@Param('id') id: string) {
    return this.workflows.unpublish(id);
  }

  @Post(':id/unpublish')
  @HttpCode(200)
  @Documented({ summary: 'The same as deactivate', answer: workflowAnswer, problems: unknownWorkflow })
  unpublish(@Param('id') id: string) {
    return this.workflows.unpublish(id);
  }

  @Post(':id/archive')
  @HttpCode(200)
  @Documented({ summary: 'Archives a workflow, taking it out of production', answer: workflowAnswer, problems: unknownWorkflow })
  archive(@Param('id') id: string) {
    return this.workflows.archive(id);
  }

  @Post(':id/unarchive')
  @HttpCode(200)
  @Documented({ summary: 'Brings an archived workflow back', answer: workflowAnswer, problems: unknownWorkflow })
  unarchive(@Param('id') id: string) {
    return this.workflows.unarchive(id);
  }

  @Get(':id/history')
  @Documented({ summary: 'Lists the versions of a workflow, newest first', query: pageQuery, answer: listOf(versionAnswer), problems: unknownWorkflow })
  history(@Param('id') id: string, @Query(new ZodPipe(pageQuery)) page: z.output<typeof pageQuery>) {
    return this.workflows.history(id, page);
  }

  @Get(':id/versions/:versionId')
  @Documented({ summary: 'Reads a version with its graph', answer: versionAnswer, problems: { 404: 'No such version.' } })
  version(@Param('id') id: string, @Param('versionId') versionId: string) {
    return this.workflows.version(id, versionId);
  }

  @Get(':id/:versionId')
  @Documented({ summary: 'The same as versions/{versionId}', answer: versionAnswer, problems: { 404: 'No such version.' } })
  versionInShort(@Param('id') id: string, @Param('versionId') versionId: string) {
    return this.workflows.version(id, versionId);
  }
}
