import { z } from 'zod';

/** Shapes of answers, for the description of the API. What is sent is built by the views; specs hold the two together. */

const isoMoment = z.iso.datetime();
const openObject = z.looseObject({});

export const problemAnswer = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string().describe('Stable, for programs.'),
  detail: z.string(),
  message: z.string().describe('The same as detail.'),
  path: z.string().optional().describe('JSON path into the request.'),
  suggestion: z.string().optional().describe('What to do about it.'),
  problems: z.array(z.object({ severity: z.enum(['error', 'warning']), code: z.string(), path: z.string(), message: z.string(), suggestion: z.string() })).optional(),
});

export const workflowAnswer = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  active: z.boolean(),
  activeVersionId: z.string().nullable(),
  createdAt: isoMoment,
  updatedAt: isoMoment,
  isArchived: z.boolean(),
  versionId: z.string(),
  versionCounter: z.int(),
  triggerCount: z.int(),
  nodes: z.array(openObject),
  connections: openObject,
  nodeGroups: z.array(openObject),
  settings: openObject,
  staticData: openObject.nullable(),
  pinData: openObject.optional(),
  meta: openObject.nullable(),
  tags: z.array(openObject),
  shared: z.array(openObject),
  activeVersion: openObject.nullable(),
});

export const versionAnswer = z.object({
  versionId: z.string(),
  workflowId: z.string(),
  nodes: z.array(openObject).optional(),
  connections: openObject.optional(),
  nodeGroups: z.array(openObject).optional(),
  authors: z.string(),
  name: z.string().nullable(),
  description: z.string().nullable(),
  createdAt: isoMoment,
  updatedAt: isoMoment,
});

export const statusName = z.enum(['canceled', 'crashed', 'error', 'new', 'running', 'success', 'unknown', 'waiting']);

export const executionAnswer = z.object({
  id: z.string().regex(/^\d+$/),
  finished: z.boolean(),
  mode: z.string(),
  retryOf: z.string().nullable(),
  retrySuccessId: z.string().nullable(),
  status: statusName,
  startedAt: isoMoment.nullable(),
  stoppedAt: isoMoment.nullable(),
  workflowId: z.string(),
  waitTill: isoMoment.nullable(),
  workflowVersionId: z.string(),
  customData: z.record(z.string(), z.string()),
  data: openObject.optional().describe('The run as n8n stores it (IRunExecutionData, version 1); with includeData.'),
  workflowData: openObject.optional(),
  dataTooLargeToDisplay: z.boolean().optional(),
});

export const executionDetailAnswer = executionAnswer.extend({
  createdAt: isoMoment,
  deletedAt: isoMoment.nullable(),
  tracingContext: z.object({ traceparent: z.string() }).nullable(),
  deduplicationKey: z.string().nullable(),
});

export const stoppedAnswer = z.object({ mode: z.string(), startedAt: isoMoment.nullable(), stoppedAt: isoMoment.nullable(), finished: z.boolean(), status: statusName });
export const stoppedManyAnswer = z.object({ stopped: z.int() });
export const acceptedAnswer = z.object({ id: z.string().regex(/^\d+$/), existing: z.boolean().describe('The idempotency key had been used: this is the execution of that time.') });
export const canceledAnswer = z.object({ id: z.string(), status: statusName });

export const stepAnswer = z.object({
  node: z.string(),
  type: z.string(),
  scope: z.string().describe('Empty at the top; else the iterations that the node ran in.'),
  runIndex: z.int(),
  status: z.string(),
  attempt: z.int(),
  itemsByOutput: z.array(z.int()),
  startedAt: isoMoment,
  executionTime: z.number().describe('Milliseconds.'),
  worker: z.string(),
  commit: z.int(),
  error: openObject.nullable(),
});

export const openStepAnswer = z.object({
  node: z.string(),
  type: z.string(),
  scope: z.string(),
  runIndex: z.int(),
  status: z.string(),
  attempt: z.int(),
  worker: z.string().nullable(),
  since: isoMoment,
  waitTill: isoMoment.nullable(),
});

export const stepsAnswer = z.object({ data: z.array(stepAnswer), open: z.array(openStepAnswer), nextCursor: z.string().nullable() });

export const listOf = (row: z.ZodType) => z.object({ data: z.array(row), nextCursor: z.string().nullable() });
