import type { Firing, InputToken, ScopePath } from './activation.ts';
import type { Draft } from './draft.ts';
import type { HeldTokens } from './held-tokens.ts';
import type { Edge, Group, ProgramNode } from './program.ts';
import type { Token } from './snapshot.ts';
import { countSkip } from './budget.ts';
import { forceSources } from './force-sources.ts';

/** A token on its way: what an edge delivers to the slot it ends in. */
export interface Delivery {
  readonly edge: Edge;
  readonly live: boolean;
  readonly token: InputToken;
}

/**
 * Puts tokens into slots and collects the firings that become complete, in the order of the deliveries. Dead tokens
 * cascade here: a skipped node delivers dead in turn (D1, D2), never over a back edge (D3), and what leaves a cycle
 * that is not quiet is held (D4).
 */
export function deliverAll(draft: Draft, scope: ScopePath, deliveries: readonly Delivery[]): Firing[] {
  const firings: Firing[] = [];
  if (draft.scope(scope).stopped) return firings;
  const open = [...deliveries];
  // All edges of one settlement land before anything is judged: two edges of one source count as one for an anyEdge slot.
  const touched: number[] = [];
  for (let next = open.shift(); next; next = open.shift()) {
    const node = draft.program.nodes[next.edge.to.node]!;
    if (place(draft, scope, node, next)) {
      const immediate = immediateFiring(scope, node, next);
      if (immediate) firings.push(immediate);
      else touched.push(node.index);
    }
    if (open.length > 0 && open[0]!.edge.to.node === node.index) continue;
    const settled = touched.splice(0);
    for (const index of settled) judge(draft, scope, draft.program.nodes[index]!, firings, open);
  }
  releaseDead(draft, scope, firings);
  return firings;
}

/** Lets dead tokens go that were held at the exits of cycles which are quiet by now (D4). */
export function releaseDead(draft: Draft, scope: ScopePath, firings: Firing[]): void {
  const state = draft.scope(scope);
  if (state.heldDead.length === 0) return;
  const pending = (cycle: number) => firings.some((firing) => draft.program.cycle[firing.node] === cycle);
  const ready = state.heldDead.filter((edge) => {
    const cycle = draft.program.exits[edge]!;
    return (state.cycles[cycle] ?? 0) === 0 && !pending(cycle);
  });
  if (ready.length === 0) return;
  state.heldDead = state.heldDead.filter((edge) => !ready.includes(edge));
  for (const edge of ready) {
    const delivery = deadDelivery(draft.program.edges[edge]!);
    const open: Delivery[] = [];
    const first = draft.program.nodes[delivery.edge.to.node]!;
    if (place(draft, scope, first, delivery, true)) judge(draft, scope, first, firings, open);
    for (let next = open.shift(); next; next = open.shift()) {
      const node = draft.program.nodes[next.edge.to.node]!;
      if (place(draft, scope, node, next)) judge(draft, scope, node, firings, open);
    }
  }
  releaseDead(draft, scope, firings);
}

/** Dead tokens for edges of ports that were not taken, or of a node that was skipped. */
export function deadDelivery(edge: Edge): Delivery {
  return { edge, live: false, token: { edge: edge.index, ref: null, from: null } };
}

/** Puts one token into its slot. False when that changes nothing (the dead token waits elsewhere or is dropped). */
function place(draft: Draft, scope: ScopePath, node: ProgramNode, delivery: Delivery, released = false): boolean {
  const { edge, live } = delivery;
  const state = draft.scope(scope);
  if (!live) {
    if (draft.program.policies.dead === 'off' || draft.program.back[edge.index]) return false;
    // Whether the cycle is quiet shows when everything of this settlement has landed; until then it is held.
    if (draft.program.exits[edge.index]! >= 0 && !released) {
      if (!state.heldDead.includes(edge.index)) state.heldDead = [...state.heldDead, edge.index];
      return false;
    }
  } else if (state.heldDead.includes(edge.index)) {
    state.heldDead = state.heldDead.filter((held) => held !== edge.index);
  }
  if (live && firesAtOnce(node, edge.to.slot)) return true;
  const at = { scope, node: node.index, slot: edge.to.slot, live };
  if (node.slots[edge.to.slot]!.buffer === 'fifo') {
    if (!live) return false;
    // A firing takes from the front: without the front nobody knows whether the set is complete.
    draft.tokensOf(scope, node.index);
    draft.putToken({ ...delivery.token, ...at });
    return true;
  }
  const { before, tally } = draft.expectToken(scope, node.index, edge.index, live);
  // D5: live overwrites dead, dead never overwrites live.
  if (before && !live) return false;
  if (before) draft.takeToken(before);
  draft.putToken({ ...delivery.token, ...at, tally });
  return true;
}

/** A queue slot that is a group of its own never holds a token: the arrival is the firing. */
function firesAtOnce(node: ProgramNode, slot: number): boolean {
  return node.consume === 'groupSlots' && node.slots[slot]!.buffer === 'fifo' && node.groups.some((group) => group.slots.length === 1 && group.slots[0] === slot && group.needLive <= 1);
}

function immediateFiring(scope: ScopePath, node: ProgramNode, { edge, live, token }: Delivery): Firing | null {
  if (!live || !firesAtOnce(node, edge.to.slot)) return null;
  const input = node.slots[edge.to.slot]!.input;
  const inputs: (InputToken | null)[] = new Array<null>(input + 1).fill(null);
  inputs[input] = token;
  return { scope, node: node.index, inputs, cause: 'token' };
}

/** Fires every group that is complete; without one, looks whether the node is to be skipped. */
function judge(draft: Draft, scope: ScopePath, node: ProgramNode, firings: Firing[], open: Delivery[]): void {
  if (!draft.mayAct(scope, node.index)) return;
  let fired = false;
  for (let group = completeGroup(draft, scope, node); group; group = completeGroup(draft, scope, node)) {
    firings.push(consume(draft, scope, node, group.slots, 'token'));
    fired = true;
  }
  if (fired) return;
  if (draft.program.policies.startUnrunSources) forceSources(draft, scope, node, firings);
  if (draft.program.policies.dead === 'off') return;
  if (!isSkipped(draft, scope, node)) return;
  for (const token of draft.tokensOf(scope, node.index).all()) draft.takeToken(token);
  const seq = draft.takeSeq(scope, node.index);
  countSkip(draft);
  draft.runs.push({ scope, node: node.index, seq, status: 'skipped', attempt: 0, commit: draft.execution.commits, inputs: [], cause: 'token', outputs: [], error: null, stream: [] });
  for (const edges of draft.program.outgoing[node.index]!) for (const edge of edges) open.push(deadDelivery(edge));
}

function completeGroup(draft: Draft, scope: ScopePath, node: ProgramNode): Group | undefined {
  const tokens = draft.tokensOf(scope, node.index);
  if (tokens.live === 0) return undefined;
  return node.groups.find((group) => {
    if (!group.slots.every((slot) => isSettled(node, slot, tokens))) return false;
    return group.slots.filter((slot) => tokens.liveIn(slot) > 0).length >= Math.max(1, group.needLive);
  });
}

function isSettled(node: ProgramNode, slot: number, tokens: HeldTokens): boolean {
  const { buffer, merge, edges } = node.slots[slot]!;
  if (buffer === 'fifo') return tokens.sizeOf(slot) > 0;
  return (merge === 'anyEdge' && tokens.liveIn(slot) > 0) || tokens.sizeOf(slot) === edges.length;
}

/** D2: every forward slot is dead and no slot holds anything live. The literal rule asks it of all slots. */
function isSkipped(draft: Draft, scope: ScopePath, node: ProgramNode): boolean {
  const tokens = draft.tokensOf(scope, node.index);
  if (tokens.live > 0) return isSettledInVain(node, tokens);
  const literal = draft.program.policies.skipRule === 'allSlots';
  const counts = (edge: number) => literal || !draft.program.back[edge];
  const slots = node.slots.filter(({ edges }) => literal || edges.some(counts));
  return slots.length > 0 && slots.every(({ edges }) => edges.every((edge) => !counts(edge) || tokens.from(edge)));
}

/** All sets have heard from all their slots, and too few of them are live for the node to fire: nothing more will come. */
function isSettledInVain(node: ProgramNode, tokens: HeldTokens): boolean {
  return node.groups.length > 0 && node.groups.every((group) => group.needLive > 1 && group.slots.every((slot) => node.slots[slot]!.buffer === 'latch' && isSettled(node, slot, tokens)));
}

/** Takes what a firing consumes: the oldest token of each queue, everything that lies in a latch. */
export function consume(draft: Draft, scope: ScopePath, node: ProgramNode, slots: readonly number[], cause: Firing['cause']): Firing {
  const tokens = draft.tokensOf(scope, node.index);
  const inputs: (InputToken | null)[] = [];
  const taken: Token[] = [];
  for (const index of node.consume === 'allSlots' ? node.slots.keys() : slots) {
    const slot = node.slots[index]!;
    while (inputs.length <= slot.input) inputs.push(null);
    const here = tokens.in(index);
    if (slot.buffer === 'fifo') here.splice(1);
    for (const token of here) taken.push(token);
    // Of several live edges the last one of the program counts, not the one that happened to deliver last.
    const live = here.filter((token) => token.live).sort((a, b) => a.edge - b.edge).at(-1);
    if (live) inputs[slot.input] = { edge: live.edge, ref: live.ref, from: live.from };
  }
  for (const token of taken) draft.takeToken(token);
  return { scope, node: node.index, inputs, cause };
}
