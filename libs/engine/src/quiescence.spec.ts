import { buildProgram } from '@app/engine/testing/build-program.ts';
import { Play } from '@app/engine/testing/play.ts';
import { applyTransition, done, emptySnapshot, link, step, type Event, type OpenActivation, type Outcome, type Program } from '@app/engine';
import { describe, expect, it } from 'vitest';

const failure: Outcome = { kind: 'failed', error: { message: 'no' } };

const region = (spec: Parameters<typeof buildProgram>[0]['nodes'][number]['regionSpec'], policies: Partial<Program['policies']> = {}): Program =>
  buildProgram({ nodes: [{ name: 'R', regionSpec: spec! }, { name: 'A', region: 'R' }, { name: 'B', region: 'R' }, { name: 'E' }], edges: ['R -> E'], policies });

describe('an execution that can do nothing more', () => {
  it('ends when the budget runs out in the step that opens a region', () => {
    const program = region({ driver: { kind: 'forEach' }, entries: ['A'] }, { budget: { runs: 1, onExhausted: 'fail' } });
    expect(new Play(program).start('R').effects('R', { kind: 'enter', count: 2 }).end).toMatchObject({ status: 'failed', cause: 'budget' });
  });

  it('goes on when the last firings of a failed iteration stood in the queue behind those of another one', () => {
    const program = buildProgram({
      nodes: [{ name: 'R', regionSpec: { driver: { kind: 'map', maxConcurrency: 2, batch: null }, entries: ['A', 'B'], onIterationError: 'null' } }, { name: 'A', region: 'R' }, { name: 'B', region: 'R' }, { name: 'C', region: 'R' }],
      edges: ['A -> C'],
      policies: { maxConcurrency: 2, order: 'breadthFirst' },
    });
    const play = new Play(program).start('R').effects('R', { kind: 'enter', count: 2 }).settle('0/A').outcome('0/B', failure);
    expect(play.ready()).toEqual(['1/A', '1/B']);
    play.settle('1/A').settle('1/B').settle('1/C');
    expect(play.end).toMatchObject({ status: 'succeeded' });
  });

  it('does not wait for a call that its own caller keeps from running', () => {
    const program = buildProgram({ nodes: [{ name: 'Agent' }, { name: 'Tool' }, { name: 'X' }], edges: ['Tool ~> Agent'], policies: { maxConcurrency: 1, suspendedHoldsPlace: true } });
    const play = new Play(program).start('Agent').suspend('Agent', { resume: 'reenter' }, [{ kind: 'invoke', node: 1, arguments: null }]);
    expect(play.ready()).toEqual(['0/Tool']);
    play.settle('0/Tool').settle('Agent');
    expect(play.end).toMatchObject({ status: 'succeeded' });
  });
});

describe('the condition of a region', () => {
  it('fails the region where the region stands when it fails', () => {
    const program = region({ driver: { kind: 'while' }, entries: ['A'] });
    const nodes = program.nodes.map((node) => (node.name === 'R' ? { ...node, onError: { kind: 'port' as const, port: 0 } } : node));
    const play = new Play({ ...program, nodes }).start('R').effects('R', { kind: 'enter', count: 0 }).outcome('0/R?', failure);
    expect(play.ready()).toEqual(['E']);
  });

  it('is asked after an iteration of a do-while that failed and may', () => {
    const play = new Play(region({ driver: { kind: 'doWhile' }, entries: ['A'], onIterationError: 'null' })).start('R').effects('R', { kind: 'enter', count: 0 }).outcome('0/A', failure);
    expect(play.ready()).toEqual(['0/R?']);
    play.effects('0/R?', { kind: 'continue', again: false });
    expect(play.runsOf('R')[0]!.outputs[0]!.count).toBe(1);
  });

  it('is not passed by when the iteration before it is suspended', () => {
    const play = new Play(region({ driver: { kind: 'doWhile' }, entries: ['A'], countSuspended: false })).start('R').effects('R', { kind: 'enter', count: 0 }).suspend('0/A');
    expect(play.ready()).toEqual([]);
  });
});

describe('a branch without nodes', () => {
  it('is over at once and leaves no scope behind', () => {
    const play = new Play(region({ driver: { kind: 'select' }, entries: [], branches: [['A'], []] })).start('R').effects('R', { kind: 'enter', count: 0, branches: [1, 0] });
    expect([...play.snapshot.scopes.keys()]).toEqual(['', '0.0.1']);
    play.settle('1/A');
    expect(play.runsOf('R')[0]!.outputs[0]!.count).toBe(2);
  });
});

describe('a join', () => {
  const join = (needLive: number): Program => {
    const program = buildProgram({ nodes: [{ name: 'S', ports: ['b', 'c'] }, { name: 'B' }, { name: 'C' }, { name: 'J' }, { name: 'E' }], edges: ['S.b -> B', 'S.c -> C', 'B -> J', 'C -> J', 'J -> E'] });
    return { ...program, nodes: program.nodes.map((node) => (node.name === 'J' ? { ...node, groups: [{ slots: [0, 1], needLive }] } : node)) };
  };

  it('that needs more live branches than it got is skipped, and so is what follows', () => {
    const play = new Play(join(2)).start('S').settle('S', 'b').settle('B');
    expect(play.skippedNodes()).toEqual(['C', 'J', 'E']);
    expect(play.end).toMatchObject({ status: 'succeeded' });
    expect(play.snapshot.scopes.get('')!.held).toBe(0);
  });

  it('fed by a run that returned nothing hears that nothing comes', () => {
    const play = new Play(join(1)).start('S').settle('S', 'b', 'c').outcome('B', { kind: 'done', outputs: [], effects: [], void: true }).settle('C');
    expect(play.ready()).toEqual(['J']);
  });

  it('takes the same one of several live edges into a slot whichever delivered last', () => {
    const program = join(1);
    const nodes = program.nodes.map((node) => (node.name === 'J' ? { ...node, slots: [{ input: 0, edges: [2, 3], buffer: 'latch' as const, merge: 'allEdges' as const }], groups: [{ slots: [0], needLive: 1 }] } : node));
    const edges = program.edges.map((edge) => (edge.to.node === 3 ? { ...edge, to: { node: 3, slot: 0 } } : edge));
    const edgeOf = (...order: string[]): number | undefined => order.reduce((play, name) => play.settle(name), new Play({ ...program, nodes, edges }).start('S').settle('S', 'b', 'c')).activations()[0]!.inputs[0]?.edge;
    expect(edgeOf('B', 'C')).toBe(3);
    expect(edgeOf('C', 'B')).toBe(3);
  });
});

describe('a step that closes a nested region', () => {
  it('does not write the scope that it has closed', () => {
    const program = link(buildProgram({ nodes: [{ name: 'O', regionSpec: { driver: { kind: 'call' }, entries: ['I'] } }, { name: 'I', region: 'O', regionSpec: { driver: { kind: 'call' }, entries: ['A'] } }, { name: 'A', region: 'I' }], edges: [] }));
    let snapshot = emptySnapshot();
    const happen = (event: Event) => {
      const result = step(program, snapshot, event, 0);
      if (result.kind !== 'transition') throw new Error(result.kind);
      snapshot = applyTransition(snapshot, result);
      return result;
    };
    const settle = (activation: object, outcome: Outcome) => happen({ kind: 'activation-settled', activation: { ...activation, attempt: 1, losses: 0, wakes: 0, wasSuspended: false, resume: null } as OpenActivation, outcome });
    const enter = done([], [{ kind: 'enter', count: 0 }]);
    const outer = happen({ kind: 'execution-started', starts: [{ node: 0, input: null }] }).created[0]!;
    const inner = settle(outer, enter).created[0]!;
    const body = settle(inner, enter).created[0]!;
    const last = settle(body, done([{ port: 0, count: 1 }]));
    expect(last.closedScopes).toEqual(['0.0.0/1.0.0', '0.0.0']);
    expect(last.scopes.map(({ scope }) => scope)).toEqual(['']);
    expect(last.end).toMatchObject({ status: 'succeeded' });
  });
});
