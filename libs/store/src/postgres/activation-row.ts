import { ROOT, activationId, nodeKey, type ActivationKey, type ExecutionState, type Firing, type Instant, type Json, type OpenActivation, type Resume, type Snapshot, type Suspension } from '@app/engine';
import { isLongWait } from '../deadline.ts';
import type { ClaimedActivation, ExecutionMode, OpenActivationRecord, ReadyActivation } from '../records.ts';
import { activationStatus, cause, phase, resumeMode, wait } from './codes.ts';
import { unpackInputs } from './compact.ts';
import type { Row } from './connection.ts';
import { executionOf, rootOf, sizeOf } from './head-row.ts';

/** What this adapter knows of a claimed activation besides what the worker may see. */
export interface Hold {
  /** Leases of the execution taken away so far, and its steps: together the version of everything it consists of. */
  readonly epoch: number;
  readonly commits: number;
  /** Of the execution; whether a commit that must read reads all of it. */
  readonly size: number;
  /** The key of its row, which may be that of a predecessor. */
  readonly rowNode: number;
  readonly rowSeq: number;
  /** Ending it concerns nobody else: it has no parent and retries nothing. */
  readonly plainEnd: boolean;
}

export interface HeldActivation extends ClaimedActivation {
  readonly hold: Hold | null;
}

export const keyOf = (row: Row): ActivationKey => ({ scope: row['scope'] as string, node: Number(row['node']), seq: Number(row['seq']) });

export const idOf = (row: Row): string => activationId(row['execution_id'] as string, keyOf(row));

export function readyOf(row: Row): ReadyActivation {
  return { id: idOf(row), announcement: Number(row['announcement']), queue: row['queue'] as string, priority: Number(row['priority']) };
}

/** Whether an activation that was just woken had kept the time of its execution from running. */
export function endsLongWait(row: Row): boolean {
  const at = (column: string) => (row[column] === null ? null : Number(row[column]));
  return isLongWait({ wait: wait.word(row['wait_kind']), until: at('due_at') }, at('started_at'));
}

function firingOf(row: Row): Firing {
  return {
    scope: row['scope'] as string,
    node: Number(row['node']),
    inputs: unpackInputs(row['inputs'] as string),
    cause: cause.word(row['cause']),
    ...(row['phase'] !== null && { phase: phase.word(row['phase']) }),
    ...(row['arguments'] !== null && { arguments: JSON.parse(row['arguments'] as string) as Json }),
  };
}

function openOf(row: Row): OpenActivation {
  return {
    ...firingOf(row),
    seq: Number(row['seq']),
    attempt: Number(row['attempt']),
    losses: Number(row['losses']),
    wakes: Number(row['wakes']),
    wasSuspended: row['was_suspended'] as boolean,
    resume: row['resume'] === null ? null : (JSON.parse(row['resume'] as string) as Resume),
  };
}

/** A row of the statements that take a lease: the activation, its execution's facts and its head. */
export function claimedOf(row: Row): HeldActivation {
  const activation = openOf(row);
  const executionId = row['execution_id'] as string;
  return {
    ...activation,
    id: activationId(executionId, activation),
    executionId,
    workflowId: row['workflow_id'] as string,
    versionId: row['version_id'] as string,
    mode: row['mode'] as ExecutionMode,
    options: JSON.parse(row['options'] as string) as ClaimedActivation['options'],
    traceparent: row['traceparent'] as string | null,
    queue: row['queue'] as string,
    priority: Number(row['priority']),
    leaseId: row['lease_id'] as string,
    leaseUntil: Number(row['lease_until']),
    claimedAt: Number(row['claimed_at']),
    readyAt: Number(row['ready_at']),
    executionDeadline: row['deadline_at'] === null ? null : Number(row['deadline_at']),
    announcement: Number(row['announcement']),
    snapshot: freshSnapshot(row, activation),
    hold: { rowNode: Number(row['row_node']), rowSeq: Number(row['row_seq']), epoch: Number(row['epoch']), commits: Number(row['commits']), size: sizeOf(headOf(row), rootOf(row)), plainEnd: row['plain_end'] as boolean },
  };
}

const headOf = (row: Row): ExecutionState => executionOf({ ...row, status: row['head_status'] ?? null });

/** An execution whose only step so far was its beginning, with one activation, consists of nothing else. */
function freshSnapshot(row: Row, { scope, node, seq }: OpenActivation): Snapshot | null {
  const execution = headOf(row);
  // An execution that goes on with another one's history begins at epoch 1: it consists of more.
  if (execution.commits !== 1 || row['epoch'] !== 0 || execution.open !== 1 || execution.suspended + execution.queued + execution.tokens > 0 || scope !== ROOT || seq !== 0) return null;
  return {
    execution,
    scopes: new Map([[ROOT, rootOf(row)]]),
    fired: new Map([[nodeKey(ROOT, node), 1]]),
    tokens: new Map(),
    arrivals: new Map(),
    waiting: new Map(),
    queue: [],
    drivers: new Map(),
    lists: new Map(),
    complete: true,
  };
}

export function recordOf(row: Row): OpenActivationRecord {
  const moment = (column: string): Instant | null => (row[column] === null ? null : Number(row[column]));
  const status = activationStatus.word(row['status']);
  return {
    ...openOf(row),
    id: idOf(row),
    status,
    readyAt: Number(row['ready_at']),
    startedAt: moment('started_at'),
    worker: row['worker'] as string | null,
    leaseUntil: status === 'running' ? moment('lease_until') : null,
    suspension: suspensionOf(row),
    announcement: Number(row['announcement']),
  };
}

function suspensionOf(row: Row): Suspension | null {
  if (row['wait_key'] === null) return null;
  return {
    key: row['wait_key'] as string,
    wait: wait.word(row['wait_kind']),
    until: row['due_at'] === null ? null : Number(row['due_at']),
    resume: resumeMode.word(row['resume_mode']),
    children: Number(row['children_pending'] ?? 0),
  };
}
