import type { Command } from '../command.ts';
import { apiKeyCreate, apiKeyList, apiKeyRevoke } from './api-key.ts';
import { doctor } from './doctor.ts';
import { executionCancel, executionList, executionRetry, executionShow, executionStart, executionWatch } from './execution.ts';
import { api, migrate, up, worker } from './fleet.ts';
import { run } from './run.ts';
import { workflowImport, workflowList, workflowPublish } from './workflow.ts';

export const commands: readonly Command[] = [
  up,
  run,
  workflowImport,
  workflowList,
  workflowPublish,
  executionStart,
  executionList,
  executionShow,
  executionWatch,
  executionCancel,
  executionRetry,
  doctor,
  api,
  worker,
  migrate,
  apiKeyCreate,
  apiKeyList,
  apiKeyRevoke,
];
