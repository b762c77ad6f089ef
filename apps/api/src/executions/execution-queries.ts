import { z } from 'zod';
import { flag, moment, pageQuery, text } from '../http-schemas.ts';

const statusNames = z.enum(['canceled', 'crashed', 'error', 'new', 'running', 'success', 'unknown', 'waiting']);

/** Commits are counted in 32 bits. */
export const mostCommits = 2_147_483_647;

export const executionListQuery = pageQuery.extend({
  cursor: z.string().regex(/^\d{1,19}$/, 'must be the nextCursor of the page before').optional().describe('The nextCursor of the page before.'),
  includeData: flag.default(false).describe('With the data of every run.'),
  status: statusNames.optional(),
  workflowId: text(255).optional(),
  projectId: text(255).optional(),
  startedAfter: moment.optional(),
  startedBefore: moment.optional(),
  ignoreDataSizeLimit: flag.default(false),
  redactExecutionData: flag.default(false).describe('True: answers without data, whatever includeData says.'),
});
export type ExecutionListQuery = z.output<typeof executionListQuery>;

export const executionQuery = executionListQuery.pick({ includeData: true, ignoreDataSizeLimit: true, redactExecutionData: true });
export type ExecutionQuery = z.output<typeof executionQuery>;

export const retryInput = z.strictObject({ loadWorkflow: z.boolean().default(false).describe('True: with the newest version of the workflow instead of the one that failed.') });

export const stopManyInput = z.strictObject({
  status: z.array(z.enum(['queued', 'running', 'waiting'])).min(1, 'must name at least one status'),
  workflowId: text(255).optional(),
  startedAfter: moment.optional(),
  startedBefore: moment.optional(),
});
export type StopManyInput = z.output<typeof stopManyInput>;

export const stepsQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(250)
    .meta({ description: 'Steps per page, give or take those of one commit.', wire: { type: 'integer' } }),
  cursor: z.coerce
    .number()
    .int()
    .min(-1)
    .max(mostCommits)
    .optional()
    .meta({ description: 'The nextCursor of the page before: a commit number.', wire: { type: 'integer' } }),
});
export type StepsQuery = z.output<typeof stepsQuery>;

export const eventsQuery = z.object({
  after: z.coerce
    .number()
    .int()
    .min(-1)
    .max(mostCommits)
    .optional()
    .meta({ description: 'Commit number to go on after; the header Last-Event-ID says the same.', wire: { type: 'integer' } }),
});
