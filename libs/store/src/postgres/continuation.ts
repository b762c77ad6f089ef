import { activationId, type Instant, type NewActivation, type Snapshot, type Transition } from '@app/engine';
import type { ClaimedActivation, CommitOptions } from '../records.ts';
import type { HeldActivation, Hold } from './activation-row.ts';
import type { NewActivationRow } from './statements/insert-activations.ts';

/** A snapshot larger than this is not carried from step to step: copying it would cost more than reading what a step needs. */
const CARRIED = 400;

/** The successor that the committing worker may go on with: the only one, ready now, with nothing else to announce. */
export function continuation(transition: Transition, now: Instant, options: CommitOptions): NewActivation | null {
  if (!options.continueHere || transition.end || transition.woken.length > 0 || transition.created.length !== 1 || options.children?.length) return null;
  const only = transition.created[0]!;
  return only.readyAt <= now ? only : null;
}

/** The same right, moved from the activation that settles to its successor: the lease's id stays. */
export function leaseFor(activation: ClaimedActivation, options: CommitOptions): NonNullable<NewActivationRow['lease']> {
  return { id: activation.leaseId, ms: Math.ceil(options.leaseMs), worker: options.worker };
}

export function continued(before: ClaimedActivation, next: NewActivation, after: Snapshot, at: Instant, leaseUntil: Instant, hold: Hold): HeldActivation {
  const { readyAt: _, ...activation } = next;
  const { executionId, workflowId, versionId, mode, options, traceparent, queue, priority, leaseId, executionDeadline } = before;
  return {
    ...activation,
    id: activationId(executionId, next),
    executionId,
    workflowId,
    versionId,
    mode,
    options,
    traceparent,
    queue,
    priority,
    leaseId,
    executionDeadline,
    attempt: 1,
    losses: 0,
    wakes: 0,
    wasSuspended: false,
    resume: null,
    leaseUntil,
    claimedAt: at,
    readyAt: at,
    announcement: 1,
    snapshot: carried(after),
    hold,
  };
}

/** Worth carrying only for one who is alone: otherwise the others' commits make it stale at once. */
function carried(snapshot: Snapshot): Snapshot | null {
  const { complete, execution, fired, tokens, scopes, drivers, lists } = snapshot;
  const size = fired.size + tokens.size + scopes.size + drivers.size + lists.size + (snapshot.queue?.length ?? 0);
  return complete && execution.open === 1 && size <= CARRIED ? snapshot : null;
}
