import { ROOT, type OutputRef } from './activation.ts';
import { schedule } from './admit.ts';
import type { Draft } from './draft.ts';
import type { ErrorShape } from './item.ts';
import { advance } from './quiet.ts';

/** Begins an execution: the root scope opens and its start nodes fire. */
export function start(draft: Draft, starts: readonly { readonly node: number; readonly input: OutputRef | null }[]): void {
  draft.openScope(ROOT);
  const firings = starts.map(({ node, input }) => ({
    scope: ROOT,
    node,
    inputs: [{ edge: -1, ref: input, from: null }],
    cause: 'start' as const,
  }));
  // The first of the list runs first.
  schedule(draft, draft.program.policies.order === 'depthFirst' ? firings.reverse() : firings);
  advance(draft, ROOT);
}

/** The execution ends before its first run. */
export function refuse(draft: Draft, error: ErrorShape): void {
  draft.openScope(ROOT);
  draft.execution.status = 'failed';
  draft.end = { status: 'failed', cause: 'node-failed', error };
}
