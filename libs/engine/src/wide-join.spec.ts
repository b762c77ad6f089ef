import { applyTransition, done, emptySnapshot, link, type Event, type LinkedProgram, type Need, type Program, type Snapshot, type Transition } from '@app/engine';
import { buildProgram } from '@app/engine/testing/build-program.ts';
import { stepOnDemand } from '@app/engine/testing/fuzz/demand-load.ts';
import { describe, expect, it } from 'vitest';

const WIDTH = 40;
const names = Array.from({ length: WIDTH }, (_, index) => `b${index}`);
const fan = (): Program => buildProgram({ nodes: ['a', ...names, 'z'].map((name) => ({ name })), edges: [...names.map((name) => `a -> ${name}`), ...names.map((name) => `${name} -> z`)] });

/** Takes every step over a snapshot that begins empty, and keeps what it asked for. */
class Asking {
  private readonly program: LinkedProgram;
  private snapshot: Snapshot = emptySnapshot();
  needs: readonly Need[] = [];
  last!: Transition;

  constructor(program: Program) {
    this.program = link(program);
    this.happen({ kind: 'execution-started', starts: [{ node: 0, input: null }] });
    this.settle(0, true);
  }

  /** A branch ends, with its port taken or not. */
  settle(node: number, live: boolean, seq = 0): this {
    const activation = { scope: '', node, seq, inputs: [], cause: 'token', attempt: 1, losses: 0, wakes: 0, wasSuspended: false, resume: null } as const;
    return this.happen({ kind: 'activation-settled', activation, outcome: done(live ? [{ port: 0, count: 1 }] : []) });
  }

  tokens(): Need['kind'][] {
    return this.needs.map(({ kind }) => kind).filter((kind) => kind === 'tokens' || kind === 'allTokens' || kind === 'arrival');
  }

  private happen(event: Event): this {
    const { result, needs } = stepOnDemand(this.program, this.snapshot, event, 0, { front: 20, tokens: 20, root: true });
    if (result.kind !== 'transition') throw new Error(`The step answered ${result.kind}.`);
    this.needs = needs;
    this.last = result;
    this.snapshot = applyTransition(this.snapshot, result);
    return this;
  }
}

describe('a join of many branches', () => {
  it('asks for two tokens with each arrival, and for all of them only with the last', () => {
    const asking = new Asking(fan());
    for (let node = 1; node < WIDTH; node++) expect(asking.settle(node, node % 2 === 0).tokens()).toEqual(['arrival']);
    expect(asking.settle(WIDTH, true).tokens()).toEqual(['arrival', 'allTokens']);
    expect(asking.last.created).toMatchObject([{ node: WIDTH + 1 }]);
    expect(asking.last.tokensTaken).toHaveLength(WIDTH - 1);
  });

  it('is skipped with the last of its dead branches', () => {
    const asking = new Asking(fan());
    for (let node = 1; node < WIDTH; node++) expect(asking.settle(node, false).tokens()).toEqual(['arrival']);
    expect(asking.settle(WIDTH, false).last.runs.map(({ node, status }) => [node, status])).toEqual([[WIDTH, 'done'], [WIDTH + 1, 'skipped']]);
  });

  it('counts an edge once that brings a second token, and the second one counts', () => {
    const asking = new Asking(fan());
    for (const node of [1, 2, 3]) asking.settle(node, node !== 2);
    expect(asking.settle(2, true, 1).tokens()).toEqual(['arrival']);
    expect(asking.last.tokensTaken).toMatchObject([{ live: false, edge: WIDTH + 1 }]);
    expect(asking.last.tokensPut).toMatchObject([{ live: true, edge: WIDTH + 1, tally: { tokens: 3, live: 3 } }]);
  });

  it('looks at all tokens when the youngest one is to be replaced, which alone knows the number', () => {
    const asking = new Asking(fan());
    for (const node of [1, 2, 3]) asking.settle(node, false);
    expect(asking.settle(3, true, 1).tokens()).toEqual(['arrival', 'allTokens']);
    expect(asking.last.tokensPut).toMatchObject([{ tally: { tokens: 3, live: 1 } }]);
  });

  it('is judged like any other below thirty-two edges', () => {
    const few = buildProgram({ nodes: ['a', 'b', 'c', 'z'].map((name) => ({ name })), edges: ['a -> b', 'a -> c', 'b -> z', 'c -> z'] });
    expect(new Asking(few).settle(1, true).tokens()).toEqual(['tokens']);
  });
});
