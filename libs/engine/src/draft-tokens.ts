import type { ScopePath } from './activation.ts';
import { HeldTokens } from './held-tokens.ts';
import type { LinkedProgram } from './linked-program.ts';
import { Missing } from './missing.ts';
import { arrivalKey, nodeKey, type Arrival, type NodeKey, type NodeTokens, type Snapshot, type Tally, type Token } from './snapshot.ts';
import { mayAct } from './wide-join.ts';

const NOTHING: Tally = { tokens: 0, live: 0 };

/**
 * The tokens of all nodes as they change during one step. Those of a wide join are left unread as long as nothing but
 * their number matters: what is put there meanwhile is `loose`.
 */
export class DraftTokens {
  readonly put = new Map<number, Token>();
  readonly taken: Token[] = [];
  private readonly read = new Map<NodeKey, { readonly tokens: HeldTokens; readonly more: readonly number[] }>();
  private readonly loose = new Map<NodeKey, Token[]>();

  constructor(
    private readonly program: LinkedProgram,
    private readonly base: Snapshot,
    /** The scope was opened by this step: it holds nothing that was not put by it. */
    private readonly isNew: (scope: ScopePath) => boolean,
  ) {}

  of(scope: ScopePath, node: number): HeldTokens {
    return this.readNode(scope, node).tokens;
  }

  /** What is put next at an edge will be counted like this, and the token it finds there. */
  expect(scope: ScopePath, node: number, edge: number, live: boolean): { readonly before: Token | null; readonly tally: Tally } {
    const join = this.program.wide.get(node);
    if (join && !this.read.has(nodeKey(scope, node))) {
      const { own, last } = this.arrival(scope, node, edge);
      const tally = counted(last ? last.tally : NOTHING, own, live);
      // Who takes the youngest token away takes the count with it, and may take the only one.
      const takesLast = own !== null && own.pos === last?.pos;
      if (tally && !takesLast && !mayAct(join, tally)) return { before: own, tally };
    }
    const held = this.of(scope, node);
    const before = held.from(edge) ?? null;
    return { before, tally: counted({ tokens: held.size, live: held.live }, before, live)! };
  }

  /** False when what lies at a node can neither fire nor skip it. Costs nothing that grows with the number of tokens. */
  mayAct(scope: ScopePath, node: number): boolean {
    const tally = this.loose.get(nodeKey(scope, node))?.at(-1)?.tally;
    const join = this.program.wide.get(node);
    return !tally || !join || mayAct(join, tally);
  }

  add(token: Token): void {
    const key = nodeKey(token.scope, token.node);
    this.put.set(token.pos, token);
    const held = this.read.get(key);
    if (held) return held.tokens.add(token);
    const loose = this.loose.get(key);
    if (loose) loose.push(token);
    else this.loose.set(key, [token]);
  }

  remove(token: Token): void {
    const key = nodeKey(token.scope, token.node);
    this.read.get(key)?.tokens.remove(token);
    const loose = this.loose.get(key)?.indexOf(token) ?? -1;
    if (loose >= 0) this.loose.get(key)!.splice(loose, 1);
    if (!this.put.delete(token.pos)) this.taken.push(token);
  }

  /** Nothing is left; of a node that was not read that is never said. */
  isEmpty(scope: ScopePath, node: number): boolean {
    const held = this.read.get(nodeKey(scope, node));
    return held !== undefined && held.tokens.size === 0 && held.more.length === 0;
  }

  private arrival(scope: ScopePath, node: number, edge: number): Arrival {
    const loose = this.loose.get(nodeKey(scope, node)) ?? [];
    const { own, last } = this.arrivalBefore(scope, node, edge);
    const here = own && this.taken.some(({ pos }) => pos === own.pos) ? null : own;
    return { own: loose.findLast((token) => token.edge === edge) ?? here, last: loose.at(-1) ?? last };
  }

  private arrivalBefore(scope: ScopePath, node: number, edge: number): Arrival {
    const whole = this.whole(scope, node);
    if (whole) return { own: whole.tokens.find((token) => token.edge === edge) ?? null, last: whole.tokens.at(-1) ?? null };
    const arrival = this.base.arrivals.get(arrivalKey(scope, node, edge));
    if (!arrival) throw new Missing({ kind: 'arrival', scope, node, edge });
    return arrival;
  }

  private readNode(scope: ScopePath, node: number): { readonly tokens: HeldTokens; readonly more: readonly number[] } {
    const key = nodeKey(scope, node);
    let held = this.read.get(key);
    if (!held) {
      const base = this.whole(scope, node) ?? this.part(scope, node);
      held = { tokens: new HeldTokens(this.program.nodes[node]!.slots.length, base.tokens), more: base.more };
      this.read.set(key, held);
      this.gather(key, held.tokens);
    }
    // Of a queue that is cut the front is enough, unless this step used it up.
    for (const slot of held.more) if (held.tokens.sizeOf(slot) === 0) throw new Missing({ kind: 'allTokens', scope, node });
    return held;
  }

  /** What happened at a node before it was read. */
  private gather(key: NodeKey, held: HeldTokens): void {
    const loose = this.loose.get(key);
    if (!loose) return;
    for (const token of this.taken) if (nodeKey(token.scope, token.node) === key) held.remove(token);
    for (const token of loose) held.add(token);
    this.loose.delete(key);
  }

  /** All that lay at a node before this step, if that is known. */
  private whole(scope: ScopePath, node: number): NodeTokens | undefined {
    const base = this.base.tokens.get(nodeKey(scope, node));
    if (base) return base.more.length === 0 ? base : undefined;
    return this.base.complete || this.isNew(scope) ? { tokens: [], more: [] } : undefined;
  }

  /** The fronts of its queues. A latch that is cut tells nothing. */
  private part(scope: ScopePath, node: number): NodeTokens {
    if (this.program.wide.has(node)) throw new Missing({ kind: 'allTokens', scope, node });
    const base = this.base.tokens.get(nodeKey(scope, node));
    if (!base) throw new Missing({ kind: 'tokens', scope, node });
    const { slots } = this.program.nodes[node]!;
    if (base.more.some((slot) => slots[slot]!.buffer === 'latch')) throw new Missing({ kind: 'allTokens', scope, node });
    return base;
  }
}

/** With one more token of an edge, in the place of the one that lies there. */
function counted(tally: Tally | undefined, before: Token | null, live: boolean): Tally | undefined {
  return tally && { tokens: tally.tokens + (before ? 0 : 1), live: tally.live + (live && !before?.live ? 1 : 0) };
}
