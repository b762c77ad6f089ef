import type { Program, ProgramNode } from './program.ts';
import type { Tally } from './snapshot.ts';

/**
 * From this many edges into its latches on, a node is judged by counting first. Fewer tokens are cheaper to load than
 * to load in a second round trip when the last of them arrives. Must not exceed what a store loads of one slot.
 */
export const WIDE_FROM = 32;

/** A node at which so many edges join that an arrival must not load what the others brought. */
export interface WideJoin {
  /** Tokens below which no set can be complete, whichever they are. */
  readonly complete: number;
  /** Tokens below which it cannot be skipped. */
  readonly skipped: number;
}

/** The wide joins of a program, by node. Nodes with queues are none: a queue does not say from which edge it has heard. */
export function wideJoins(program: Program, back: readonly boolean[], from: number): Map<number, WideJoin> {
  const joins = new Map<number, WideJoin>();
  // Whether sources are to be forced shows from the one token that is there.
  if (program.policies.startUnrunSources) return joins;
  for (const node of program.nodes) {
    if (node.slots.some(({ buffer, edges }) => buffer === 'fifo' && edges.length > 0)) continue;
    if (node.slots.reduce((sum, { edges }) => sum + edges.length, 0) >= from) joins.set(node.index, joinOf(program, node, back));
  }
  return joins;
}

function joinOf({ policies }: Program, node: ProgramNode, back: readonly boolean[]): WideJoin {
  const least = node.groups.map(({ slots }) => slots.reduce((sum, slot) => sum + leastIn(node, slot), 0));
  const dead = node.slots.flatMap(({ edges }) => edges.filter((edge) => policies.skipRule === 'allSlots' || !back[edge]));
  return { complete: Math.min(...least), skipped: policies.dead === 'on' ? dead.length : Infinity };
}

/** Tokens that settle a slot at the least. A queue without edges never gets any. */
function leastIn(node: ProgramNode, slot: number): number {
  const { buffer, merge, edges } = node.slots[slot]!;
  if (buffer === 'fifo') return Infinity;
  return merge === 'anyEdge' ? Math.min(1, edges.length) : edges.length;
}

/**
 * False when a node with so many tokens neither fires nor is skipped, wherever they lie. A tally may count too many,
 * never too few, so true means only that one has to look.
 */
export function mayAct({ complete, skipped }: WideJoin, { tokens, live }: Tally): boolean {
  return (live > 0 && tokens >= complete) || tokens >= skipped;
}
