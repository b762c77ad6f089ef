import type { Cell, EndCause, ErrorShape, Json, JsonObject, Program } from '@app/engine';
import type { AttemptRecord, ExecutionMode, ExecutionRecord, ListEntry, RunRecord, VersionRecord } from '../records.ts';
import { keyOf } from './activation-row.ts';
import { attemptOutcome, cause, executionStatus, runStatus } from './codes.ts';
import { unpackInputs, unpackOrigin, unpackOutputs, unpackRef } from './compact.ts';
import type { Row } from './connection.ts';

const json = <T>(value: Row[string] | undefined, otherwise: T): T => (value === null || value === undefined ? otherwise : (JSON.parse(value as string) as T));
const number = (value: Row[string] | undefined): number | null => (value === null || value === undefined ? null : Number(value));

export function runOf(row: Row): RunRecord {
  const finishedAt = Number(row['finished_at']);
  return {
    ...keyOf(row),
    executionId: row['execution_id'] as string,
    status: runStatus.word(row['status']),
    attempt: Number(row['attempt']),
    commit: Number(row['commit']),
    cause: cause.word(row['cause']),
    inputs: row['inputs'] === null ? [] : unpackInputs(row['inputs'] as string),
    outputs: unpackOutputs(row['outputs'] as string | null),
    error: json<ErrorShape | null>(row['error'], null),
    startedAt: finishedAt - Number(row['took_ms']),
    finishedAt,
    worker: (row['worker'] as string | null) ?? '',
    logs: json<string[]>(row['logs'], []),
  };
}

export function versionOf(row: Row): VersionRecord {
  return {
    id: row['id'] as string,
    workflowId: row['workflow_id'] as string,
    dialect: row['dialect'] as string,
    document: JSON.parse(row['document'] as string) as JsonObject,
    program: JSON.parse(row['program'] as string) as Program,
    name: row['name'] as string | null,
    description: row['description'] as string | null,
    createdAt: Number(row['created_at']),
  };
}

export function attemptOf(row: Row): AttemptRecord {
  return {
    ...keyOf(row),
    attempt: Number(row['attempt']),
    readyAt: Number(row['ready_at']),
    startedAt: Number(row['started_at']),
    endedAt: Number(row['ended_at']),
    worker: row['worker'] as string,
    outcome: attemptOutcome.word(row['outcome']),
    error: json<ErrorShape | null>(row['error'], null),
  };
}

export const cellOf = (row: Row): Cell => ({ scope: row['scope'] as string, node: Number(row['node']), name: row['name'] as string, value: JSON.parse(row['value'] as string) as Json });

export function listEntryOf(row: Row): ListEntry {
  return {
    entry: Number(row['entry']),
    firstItem: Number(row['first_item']),
    ref: row['ref'] === null ? null : (unpackRef(JSON.parse(row['ref'] as string))),
    from: row['origin'] === null ? null : unpackOrigin(JSON.parse(row['origin'] as string)),
  };
}

export function executionRecordOf(row: Row): ExecutionRecord {
  const status = statusOf(row);
  const parent = row['parent_execution_id'];
  return {
    id: row['execution_id'] as string,
    workflowId: row['workflow_id'] as string,
    versionId: row['version_id'] as string,
    mode: row['mode'] as ExecutionMode,
    status,
    createdAt: Number(row['created_at']),
    startedAt: number(row['started_at']) ?? number(row['head_started_at']) ?? number(row['first_claim']),
    finishedAt: number(row['finished_at']),
    cause: row['cause'] as EndCause | null,
    error: json<ErrorShape | null>(row['error'], null),
    retryOf: row['retry_of'] as string | null,
    retrySuccessId: row['retry_success_id'] as string | null,
    waitTill: status === 'waiting' ? number(row['wait_till']) : null,
    parent: parent === null ? null : { executionId: parent as string, activation: { scope: row['parent_scope'] as string, node: Number(row['parent_node']), seq: Number(row['parent_seq']) }, index: Number(row['parent_index']) },
    project: row['project'] as string,
    queue: row['queue'] as string,
    priority: Number(row['priority']),
    idempotencyKey: row['idempotency_key'] as string | null,
    traceparent: row['traceparent'] as string | null,
    options: json<JsonObject>(row['options'], {}),
    customData: json<{ [key: string]: string }>(row['custom_data'], {}),
    warnings: json<string[]>(row['warnings'] ?? row['head_warnings'], []),
    commits: Number(row['commits'] ?? row['head_commits'] ?? 0),
  };
}

/** Until something of it has been claimed an execution is queued; one that waits is running again once it is awake. */
function statusOf(row: Row): ExecutionRecord['status'] {
  if (row['status'] !== null) return executionStatus.word(row['status']);
  const status = executionStatus.word(row['head_status'] ?? 'q');
  if (status === 'paused') return status;
  if (row['head_started_at'] === null && row['first_claim'] === null) return 'queued';
  return status === 'waiting' && row['awake'] === true ? 'running' : status;
}
