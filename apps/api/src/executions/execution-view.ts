import { assertNever, type JsonObject } from '@app/engine';
import type { ExecutionRecord } from '@app/store';
import { isoOf, isoOrNull } from '../instants.ts';

export type StatusName = 'canceled' | 'crashed' | 'error' | 'new' | 'running' | 'success' | 'unknown' | 'waiting';

/** Our status under n8n's name. */
export function statusName({ status, cause }: Pick<ExecutionRecord, 'status' | 'cause'>): StatusName {
  switch (status) {
    case 'queued':
      return 'new';
    case 'running':
      return 'running';
    case 'waiting':
    case 'paused':
      return 'waiting';
    case 'succeeded':
      return 'success';
    case 'failed':
      return cause === 'crashed' ? 'crashed' : 'error';
    case 'canceled':
      return 'canceled';
    default:
      return assertNever(status);
  }
}

/** The statuses of ours that may have this name. */
export function statusesNamed(name: StatusName): ExecutionRecord['status'][] {
  const all: ExecutionRecord['status'][] = ['queued', 'running', 'waiting', 'paused', 'succeeded', 'failed', 'canceled'];
  const causes = [null, 'crashed'] as const;
  return all.filter((status) => causes.some((cause) => statusName({ status, cause }) === name));
}

/** A row of a list, as n8n writes it. */
export function executionRow(record: ExecutionRecord): JsonObject {
  return {
    id: record.id,
    finished: record.status === 'succeeded',
    mode: record.mode,
    retryOf: record.retryOf,
    retrySuccessId: record.retrySuccessId,
    status: statusName(record),
    startedAt: isoOrNull(record.startedAt),
    stoppedAt: isoOrNull(record.finishedAt),
    workflowId: record.workflowId,
    waitTill: isoOrNull(record.waitTill),
    workflowVersionId: record.versionId,
    customData: record.customData,
  };
}

/** One execution read alone. */
export function executionDetail(record: ExecutionRecord): JsonObject {
  return {
    ...executionRow(record),
    createdAt: isoOf(record.createdAt),
    deletedAt: null,
    tracingContext: record.traceparent === null ? null : { traceparent: record.traceparent },
    deduplicationKey: record.idempotencyKey,
  };
}

export function stoppedRow(record: ExecutionRecord): JsonObject {
  const { mode, startedAt, stoppedAt, finished, status } = executionRow(record);
  return { mode, startedAt, stoppedAt, finished, status };
}
