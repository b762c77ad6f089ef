import { ROOT, type Firing, type ScopePath } from './activation.ts';
import { admit, schedule } from './admit.ts';
import { consume, releaseDead } from './deliver.ts';
import type { Draft } from './draft.ts';
import type { StarvedPolicy } from './program.ts';
import { scopeEnded, scopeSuspended } from './regions.ts';

/**
 * After something settled in a scope: lets queued work begin, then, when the scope has become quiet, looks at held
 * dead tokens and starved nodes, and at last ends the scope: an iteration of a region, or the whole execution.
 */
export function advance(draft: Draft, scope: ScopePath, drain = true): void {
  admit(draft);
  if (draft.execution.ending) return finishEnding(draft);
  const state = draft.scope(scope);
  if (state.open === 0 && !state.stopped) {
    const released: Firing[] = [];
    releaseDead(draft, scope, released);
    if (released.length > 0) schedule(draft, released);
    if (state.open === 0 && state.suspended === 0 && drain && state.held > 0) fireStarved(draft, scope);
    if (draft.execution.ending) return finishEnding(draft);
  }
  if (state.open > 0) return setStatus(draft);
  if (state.suspended > 0) {
    scopeSuspended(draft, scope);
    return setStatus(draft);
  }
  if (scope === ROOT) return finish(draft);
  scopeEnded(draft, scope);
}

/**
 * Closes a step: scopes that lost their last queued firing end, an execution bound to end does so once nothing runs,
 * and the status says whether anything can go on by itself.
 */
export function conclude(draft: Draft): void {
  for (const scope of draft.emptied) {
    draft.emptied.delete(scope);
    if (!draft.end && draft.isOpenScope(scope) && draft.scope(scope).open === 0) advance(draft, scope);
  }
  if (draft.end) return;
  setStatus(draft);
  finishEnding(draft);
}

/** Waiting when nothing can go on but by a timer, a signal or a child. */
export function setStatus(draft: Draft): void {
  const { open, queued, suspended } = draft.execution;
  const parked = open === 0 && suspended > 0 && (queued === 0 || draft.program.policies.suspendedHoldsPlace);
  draft.execution.status = parked ? 'waiting' : 'running';
}

/** Fires at most one starved node: its successors go first, then the scope is looked at again. */
function fireStarved(draft: Draft, scope: ScopePath): void {
  for (let progress = true; progress; ) {
    progress = false;
    const waiting = [...draft.waitingNodes(scope)];
    for (const index of waiting) {
      if (waiting.some((other) => other !== index && draft.program.isAncestor(other, index))) continue; // two on one cycle block each other
      const node = draft.program.nodes[index]!;
      const tokens = draft.tokensOf(scope, index);
      // Dead tokens that were left over wait for nothing.
      if (tokens.live === 0) continue;
      const filled = node.slots.flatMap((_, slot) => (tokens.sizeOf(slot) > 0 ? [slot] : []));
      if (node.onStarved.kind === 'error') {
        draft.execution.ending = { status: 'failed', cause: 'starved', error: { message: `Node "${node.name}" waits for inputs that never came.`, node: node.name, code: 'starved' } };
        return;
      }
      if (node.onStarved.kind === 'nothing' || !mayFire(node.onStarved, filled)) continue;
      const firing = consume(draft, scope, node, [...node.slots.keys()], 'starved');
      if (firing.inputs.some((input) => input && (input.ref === null || input.ref.count > 0))) {
        const inputs = [...firing.inputs];
        while (inputs.length < node.onStarved.inputs) inputs.push(null);
        schedule(draft, [{ ...firing, inputs }]);
        return;
      }
      // Everything it held was empty: the set is dropped and the others are looked at again.
      progress = true;
      break;
    }
  }
}

function mayFire(policy: Extract<StarvedPolicy, { kind: 'fireWithMissing' }>, filled: readonly number[]): boolean {
  return !policy.never && filled.length >= policy.atLeast && policy.slots.every((slot) => filled.includes(slot));
}

/** Nothing is left to do: the execution succeeded. Nodes that still hold tokens are named. */
function finish(draft: Draft): void {
  const root = draft.scope(ROOT);
  if (root.held > 0) draft.execution.warnings = draft.waitingNodes(ROOT).filter((node) => draft.tokensOf(ROOT, node).live > 0).map((node) => `Node "${draft.program.nodes[node]!.name}" did not run: some of its inputs never came.`);
  draft.execution.status = 'succeeded';
  draft.end = { status: 'succeeded', cause: null, error: null };
}

/** An execution bound to end does so when nothing runs any more. Queued firings and suspensions are left behind. */
function finishEnding(draft: Draft): void {
  const { ending, open } = draft.execution;
  if (!ending || open > 0) return;
  draft.execution.status = ending.status;
  draft.end = { status: ending.status, cause: ending.cause, error: ending.error };
}

