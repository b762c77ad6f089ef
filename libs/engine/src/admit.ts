import { ROOT, parentScope, scopeOwner, type Firing, type ScopePath } from './activation.ts';
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
    draft.enqueue(firing, isInCall(draft, firing.scope) ? 'front' : where);
  }
  admit(draft);
}

/** Turns queued firings into activations while there are places and the execution is not ending. */
export function admit(draft: Draft): void {
  while (draft.execution.queued > 0 && !draft.execution.ending && hasPlace(draft)) {
    if (!affordRun(draft)) return;
    const { position: _, ...firing } = draft.dequeue();
    const scope = draft.scope(firing.scope);
    if (scope.stopped) {
      draft.count(firing.scope, firing.node, -1, 'open');
      if (scope.open === 0) draft.emptied.add(firing.scope);
      continue;
    }
    draft.execution.open += 1;
    draft.created.push({ ...firing, seq: draft.takeSeq(firing.scope, firing.node), readyAt: draft.now });
  }
}

function hasPlace(draft: Draft): boolean {
  const { maxConcurrency, suspendedHoldsPlace } = draft.program.policies;
  if (maxConcurrency === null) return true;
  const { open, suspended } = draft.execution;
  if (!suspendedHoldsPlace || open + suspended < maxConcurrency) return open < maxConcurrency;
  // What a suspended activation calls runs in its caller's place, or both would wait for each other.
  return open < maxConcurrency && isInCall(draft, draft.frontOfQueue().scope);
}

/** The scope, or one around it, was opened by an activation that called a node over a resource edge. */
function isInCall(draft: Draft, scope: ScopePath): boolean {
  for (let path = scope; path !== ROOT; path = parentScope(path)) if (draft.program.nodes[scopeOwner(path).region]!.kind === 'op') return true;
  return false;
}
