import type { Firing } from './activation.ts';
import { affordRun } from './budget.ts';
import type { Draft } from './draft.ts';

/**
 * Queues firings in the program's order and lets as many begin as there are places. `firings` is in the order in
 * which they became complete; depth first, the last of them runs first.
 */
export function schedule(draft: Draft, firings: readonly Firing[]): void {
  const where = draft.program.policies.order === 'depthFirst' ? 'front' : 'back';
  for (const firing of firings) {
    draft.count(firing.scope, firing.node, 1, 'open');
    draft.enqueue(firing, where);
  }
  admit(draft);
}

/** Turns queued firings into activations while there are places and the execution is not ending. */
export function admit(draft: Draft): void {
  while (draft.execution.queued > 0 && !draft.execution.ending && hasPlace(draft)) {
    if (!affordRun(draft)) return;
    const { position: _, ...firing } = draft.dequeue();
    if (draft.scope(firing.scope).stopped) {
      draft.count(firing.scope, firing.node, -1, 'open');
      continue;
    }
    draft.execution.open += 1;
    draft.created.push({ ...firing, seq: draft.takeSeq(firing.scope, firing.node), readyAt: draft.now });
  }
}

function hasPlace(draft: Draft): boolean {
  const { maxConcurrency, suspendedHoldsPlace } = draft.program.policies;
  if (maxConcurrency === null) return true;
  return draft.execution.open + (suspendedHoldsPlace ? draft.execution.suspended : 0) < maxConcurrency;
}
