import type { Token } from './snapshot.ts';

/**
 * The tokens of one node in one scope as they change during a step, counted by slot and found by edge: a node with
 * thousands of edges is judged for each of them, and every judgement counts what is there.
 */
export class HeldTokens {
  private readonly tokens: Token[] = [];
  private readonly gone = new Set<number>();
  private readonly sizes: number[];
  private readonly lives: number[];
  private readonly edges = new Map<number, Token>();
  private slots: Map<number, Token[]> | null = null;
  private liveTokens = 0;

  /** `tokens` are given oldest first, and so are those that are added. */
  constructor(slots: number, tokens: readonly Token[]) {
    this.sizes = new Array<number>(slots).fill(0);
    this.lives = new Array<number>(slots).fill(0);
    for (const token of tokens) this.add(token);
  }

  get size(): number {
    return this.tokens.length - this.gone.size;
  }

  get live(): number {
    return this.liveTokens;
  }

  sizeOf(slot: number): number {
    return this.sizes[slot]!;
  }

  liveIn(slot: number): number {
    return this.lives[slot]!;
  }

  /** What lies in a latch from this edge; a latch holds at most one of each. */
  from(edge: number): Token | undefined {
    return this.edges.get(edge);
  }

  /** Oldest first. */
  all(): Token[] {
    return this.tokens.filter(({ pos }) => !this.gone.has(pos));
  }

  /** Of one slot, oldest first. */
  in(slot: number): Token[] {
    this.slots ??= bySlot(this.tokens);
    return (this.slots.get(slot) ?? []).filter(({ pos }) => !this.gone.has(pos));
  }

  add(token: Token): void {
    this.tokens.push(token);
    this.slots = null;
    this.edges.set(token.edge, token);
    this.count(token, 1);
  }

  remove(token: Token): void {
    if (this.gone.has(token.pos)) return;
    this.gone.add(token.pos);
    if (this.edges.get(token.edge)?.pos === token.pos) this.edges.delete(token.edge);
    this.count(token, -1);
  }

  private count({ slot, live }: Token, by: 1 | -1): void {
    this.sizes[slot]! += by;
    if (!live) return;
    this.lives[slot]! += by;
    this.liveTokens += by;
  }
}

function bySlot(tokens: readonly Token[]): Map<number, Token[]> {
  const slots = new Map<number, Token[]>();
  for (const token of tokens) {
    const list = slots.get(token.slot);
    if (list) list.push(token);
    else slots.set(token.slot, [token]);
  }
  return slots;
}
