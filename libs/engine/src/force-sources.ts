import type { Firing, ScopePath } from './activation.ts';
import type { Draft } from './draft.ts';
import type { ProgramNode } from './program.ts';

/**
 * Policy `startUnrunSources`: a node that begins to wait has the sources of its empty inputs started, from their
 * earliest ancestor that never ran, with one empty item. Those that the delivering node itself could have reached and
 * chose not to are left alone.
 */
export function forceSources(draft: Draft, scope: ScopePath, node: ProgramNode, firings: Firing[]): void {
  const tokens = draft.tokensOf(scope, node.index);
  const newest = tokens.size === 1 ? tokens.all()[0] : undefined;
  if (!newest?.from) return;
  const idle = (index: number): boolean => draft.firedCount(scope, index) === 0 && !firings.some((firing) => firing.node === index) && !draft.loadedQueue().some((queued) => queued.node === index);
  for (const [slot, { edges }] of node.slots.entries()) {
    if (slot === newest.slot) continue;
    for (const edge of edges) {
      const source = draft.program.edges[edge]!.from.node;
      if (!idle(source)) continue;
      const first = earliest(draft, source, idle);
      if (draft.program.isAncestor(newest.from.node, first)) continue;
      firings.push({ scope, node: first, inputs: [{ edge: -1, ref: null, from: newest.from }], cause: 'forced' });
    }
  }
}

function earliest(draft: Draft, node: number, idle: (node: number) => boolean): number {
  const seen = new Set([node]);
  for (let current = node; ; ) {
    const before = draft.program.incoming[current]!.map((edge) => edge.from.node).find((source) => !seen.has(source) && idle(source));
    if (before === undefined) return current;
    seen.add(before);
    current = before;
  }
}
