import { ROOT, type ExecutionState, type ScopeState } from '@app/engine';
import { executionStatus } from './codes.ts';
import type { Row } from './connection.ts';
import { bigint, char, integer, text, type Column } from './statements/row-set.ts';

/** What a step writes into the head of an execution: its counters and its root scope. */
export interface HeadState {
  readonly executionId: string;
  readonly execution: ExecutionState;
  readonly root: ScopeState;
  /** When the first node began; kept once it is set. */
  readonly startedAt: number | null;
}

export const headColumns: { readonly [name: string]: Column<HeadState> } = {
  execution_id: bigint((head) => head.executionId),
  commits: integer((head) => head.execution.commits),
  status: char((head) => executionStatus.code(head.execution.status)),
  open: integer((head) => head.execution.open),
  suspended: integer((head) => head.execution.suspended),
  queued: integer((head) => head.execution.queued),
  front: integer((head) => head.execution.front),
  back: integer((head) => head.execution.back),
  tokens: integer((head) => head.execution.tokens),
  spent: integer((head) => head.execution.spent),
  root_open: integer((head) => head.root.open),
  root_suspended: integer((head) => head.root.suspended),
  root_held: integer((head) => head.root.held),
  started_at: bigint((head) => head.startedAt),
  root: text((head) => packRoot(head.root)),
  ending: text((head) => head.execution.ending && JSON.stringify(head.execution.ending)),
  warnings: text((head) => (head.execution.warnings.length > 0 ? JSON.stringify(head.execution.warnings) : null)),
};

/** What a root scope rarely has; null when it has nothing of it. */
export function packRoot({ cycles, heldDead, result, stopped, error }: ScopeState): string | null {
  if (heldDead.length === 0 && !result && !stopped && !error && Object.keys(cycles).length === 0) return null;
  return JSON.stringify({ cycles, heldDead, result, stopped, error });
}

/** How much an execution consists of, as far as its head says: its steps, and what is open and held. */
export function sizeOf({ commits, open, suspended, queued }: ExecutionState, { held }: ScopeState): number {
  return commits + open + suspended + queued + held;
}

export function executionOf(row: Row): ExecutionState {
  return {
    status: executionStatus.word(row['status']),
    commits: Number(row['commits']),
    open: Number(row['open']),
    suspended: Number(row['suspended']),
    ending: row['ending'] === null ? null : (JSON.parse(row['ending'] as string) as ExecutionState['ending']),
    front: Number(row['front']),
    back: Number(row['back']),
    queued: Number(row['queued']),
    tokens: Number(row['tokens']),
    spent: Number(row['spent']),
    warnings: row['warnings'] === null ? [] : (JSON.parse(row['warnings'] as string) as string[]),
  };
}

export function rootOf(row: Row): ScopeState {
  const rest = row['root'] === null ? { cycles: {}, heldDead: [], result: null, stopped: false, error: null } : (JSON.parse(row['root'] as string) as Omit<ScopeState, 'scope' | 'open' | 'suspended' | 'held'>);
  return { scope: ROOT, open: Number(row['root_open']), suspended: Number(row['root_suspended']), held: Number(row['root_held']), ...rest };
}
