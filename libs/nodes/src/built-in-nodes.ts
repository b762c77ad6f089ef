import { aggregate } from './aggregate/aggregate.ts';
import { code } from './code/code.ts';
import { compareDatasets } from './compare-datasets/compare-datasets.ts';
import { convertToFile } from './convert-to-file/convert-to-file.ts';
import { crypto } from './crypto/crypto.ts';
import { dateTimeV1 } from './date-time/date-time-v1.ts';
import { dateTime } from './date-time/date-time.ts';
import { executeWorkflow } from './execute-workflow/execute-workflow.ts';
import { executionData } from './execution-data/execution-data.ts';
import { extractFromFile } from './extract-from-file/extract-from-file.ts';
import { filter } from './filter/filter.ts';
import { functionItem } from './function/function-item.ts';
import { functionNode } from './function/function.ts';
import { httpRequestLegacy } from './http-request/http-request-legacy.ts';
import { httpRequest } from './http-request/http-request.ts';
import { ifNode } from './if/if.ts';
import { itemLists } from './item-lists/item-lists.ts';
import { limit } from './limit/limit.ts';
import { mergeV1 } from './merge/merge-v1.ts';
import { mergeV2 } from './merge/merge-v2.ts';
import { merge } from './merge/merge.ts';
import { moveBinaryData } from './move-binary-data/move-binary-data.ts';
import { noOp } from './no-op/no-op.ts';
import type { NodeType } from './node-type.ts';
import { removeDuplicates } from './remove-duplicates/remove-duplicates.ts';
import { renameKeys } from './rename-keys/rename-keys.ts';
import { respondToWebhook } from './respond-to-webhook/respond-to-webhook.ts';
import { setLegacy } from './set/set-legacy.ts';
import { set } from './set/set.ts';
import { sort } from './sort/sort.ts';
import { splitInBatches } from './split-in-batches/split-in-batches.ts';
import { splitOut } from './split-out/split-out.ts';
import { stickyNote } from './sticky-note/sticky-note.ts';
import { stopAndError } from './stop-and-error/stop-and-error.ts';
import { summarize } from './summarize/summarize.ts';
import { switchLegacy } from './switch/switch-legacy.ts';
import { switchNode } from './switch/switch.ts';
import { executeWorkflowTrigger } from './triggers/execute-workflow-trigger.ts';
import { scheduleTrigger } from './triggers/schedule-trigger.ts';
import { cron, errorTrigger, formTrigger, interval, manualTrigger, start, webhook } from './triggers/starts.ts';
import { wait } from './wait/wait.ts';

/** Every node type this process carries. A new node is added here and nowhere else. */
export const builtInNodes: readonly NodeType[] = [
  manualTrigger,
  start,
  scheduleTrigger,
  webhook,
  formTrigger,
  errorTrigger,
  executeWorkflowTrigger,
  cron,
  interval,
  noOp,
  stickyNote,
  set,
  setLegacy,
  ifNode,
  filter,
  switchNode,
  switchLegacy,
  merge,
  mergeV2,
  mergeV1,
  code,
  functionNode,
  functionItem,
  splitInBatches,
  splitOut,
  sort,
  limit,
  aggregate,
  wait,
  stopAndError,
  httpRequest,
  httpRequestLegacy,
  executeWorkflow,
  respondToWebhook,
  executionData,
  compareDatasets,
  removeDuplicates,
  renameKeys,
  summarize,
  dateTime,
  dateTimeV1,
  itemLists,
  convertToFile,
  extractFromFile,
  moveBinaryData,
  crypto,
];
