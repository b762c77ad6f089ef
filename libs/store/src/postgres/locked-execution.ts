import { ROOT, sameActivation, type ExecutionEnd, type Need, type Snapshot, type Transition } from '@app/engine';
import type { OpenActivationRecord } from '../records.ts';
import { recordOf, type Hold } from './activation-row.ts';
import type { Connection, Row } from './connection.ts';
import { executionOf, rootOf, sizeOf } from './head-row.ts';
import { afterTransition, headSnapshot, wholeSnapshot, withNeeds } from './loaded-snapshot.ts';
import { packRemains } from './remains.ts';
import type { ActivationAddress } from './statements/activation-keys.ts';
import type { EndRow } from './statements/end-executions.ts';
import { EVERY, loadWhole } from './statements/load-rows.ts';
import { readActivations } from './statements/read-activations.ts';

/** An execution whose head this transaction holds, as far as it has been read, and what has been decided for it. */
export class LockedExecution {
  readonly executionId: string;
  /** The database's time at the lock. */
  readonly at: number;
  snapshot: Snapshot;
  readonly transitions: Transition[] = [];
  end: ExecutionEnd | null = null;

  constructor(
    readonly head: Row,
    whole: readonly Row[],
    wholeSize: number,
  ) {
    this.executionId = head['execution_id'] as string;
    this.at = Number(head['at']);
    this.snapshot = sizeOf(executionOf(head), rootOf(head)) <= wholeSize ? wholeSnapshot(head, whole) : headSnapshot(head);
  }

  get version(): Omit<Hold, 'rowNode' | 'rowSeq'> {
    return { epoch: Number(this.head['epoch']), commits: this.snapshot.execution.commits, size: sizeOf(this.snapshot.execution, this.snapshot.scopes.get(ROOT)!), plainEnd: this.head['parent_execution_id'] === null && this.head['retry_of'] === null };
  }

  get place(): { readonly queue: string; readonly priority: number } {
    return { queue: this.head['queue'] as string, priority: Number(this.head['priority']) };
  }

  get parent(): ActivationAddress | null {
    const { head } = this;
    if (head['parent_execution_id'] === null) return null;
    return { executionId: head['parent_execution_id'] as string, scope: head['parent_scope'] as string, node: Number(head['parent_node']), seq: Number(head['parent_seq']) };
  }

  /** Rows may only be added while nothing has been decided: they show the state before this transaction. */
  add(needs: readonly Need[], rows: readonly Row[]): void {
    if (this.transitions.length > 0) throw new Error('Rows were read after a step that they do not show.');
    if (!this.snapshot.complete) this.snapshot = withNeeds(this.snapshot, needs, rows);
  }

  /** With everything there is, for steps that reach too much of it to ask for it piece by piece. */
  complete(whole: readonly Row[]): void {
    if (this.transitions.length > 0) throw new Error('Rows were read after a step that they do not show.');
    this.snapshot = wholeSnapshot(this.head, whole);
  }

  /** Whether something of it is suspended, on others perhaps. */
  get hasSuspended(): boolean {
    return this.snapshot.execution.suspended > 0 || this.transitions.some(({ reopened }) => reopened?.kind === 'suspended');
  }

  apply(transition: Transition): void {
    this.snapshot = afterTransition(this.snapshot, transition);
    this.transitions.push(transition);
    this.end ??= transition.end;
  }
}

/**
 * The rows that say how executions ended and what they leave behind; before anything of the transaction is written.
 * Whoever has read their activations gives them: a claim needs no lock of the head, so a second look could find
 * running what the first one found ready, and the activation would be in neither list.
 */
export async function endRows(connection: Connection, ended: readonly LockedExecution[], startedAt: (execution: LockedExecution) => number | null, known?: readonly Row[]): Promise<EndRow[]> {
  const incomplete = ended.filter((execution) => !execution.snapshot.complete && leavesSomething(execution));
  const withActivations = known ? [] : ended.filter(({ head, end }) => end!.status !== 'succeeded' && Number(head['open']) + Number(head['suspended']) > 0);
  const [whole, read] = await connection.send([loadWhole(incomplete.map(idOf), EVERY), readActivations(withActivations.map(idOf))]);
  const activations = known ?? read!.rows;
  return ended.map((execution) => {
    const { executionId, end, head, transitions } = execution;
    if (incomplete.includes(execution)) {
      execution.snapshot = transitions.reduce(afterTransition, wholeSnapshot(head, whole!.rows.filter((row) => row['execution_id'] === executionId)));
    }
    const left = leftBehind(activations.filter((row) => row['execution_id'] === executionId).map(recordOf), transitions);
    const { commits, spent, warnings } = execution.snapshot.execution;
    return { executionId, end: end!, startedAt: startedAt(execution), commits, spent, warnings, remains: packRemains(execution.snapshot, left) };
  });
}

/** Activations that are still open after these transitions. What runs is over; the step that ends all may park one. */
function leftBehind(records: readonly OpenActivationRecord[], transitions: readonly Transition[]): OpenActivationRecord[] {
  return records.flatMap((record) => {
    const parked = transitions.map(({ reopened }) => reopened).find((reopened) => reopened?.kind === 'suspended' && sameActivation(reopened, record));
    if (parked?.kind === 'suspended') return [{ ...record, status: 'waiting', suspension: parked.suspension, wasSuspended: true, resume: null, worker: null, leaseUntil: null }];
    const gone = record.status === 'running' || transitions.some(({ closed }) => closed && sameActivation(closed, record));
    return gone ? [] : [record];
  });
}

/** A success may leave things too: a node can end an execution while others wait. */
function leavesSomething({ snapshot, end }: LockedExecution): boolean {
  const root = snapshot.scopes.get(ROOT)!;
  return end!.status !== 'succeeded' || snapshot.execution.queued + root.open + root.suspended + root.held > 0;
}

const idOf = ({ executionId }: LockedExecution): string => executionId;
