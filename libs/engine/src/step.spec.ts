import { buildProgram } from '@app/engine/testing/build-program.ts';
import { Play } from '@app/engine/testing/play.ts';
import { describe, expect, it } from 'vitest';

const diamond = (entrance: 'join' | 'each' | 'queues', dead: 'on' | 'off') =>
  buildProgram({
    nodes: [{ name: 'A', ports: ['b', 'c'] }, { name: 'B', entrance: 'each' }, { name: 'C', entrance: 'each' }, { name: 'D', entrance }].map((node) => (dead === 'on' ? { ...node, entrance: node.name === 'D' ? entrance : ('join' as const) } : { ...node, entrance: (node as { entrance?: 'join' }).entrance ?? ('each' as const) })),
    edges: ['A.b -> B', 'A.c -> C', entrance === 'queues' ? 'B -> D.0' : 'B -> D', entrance === 'queues' ? 'C -> D.1' : 'C -> D'],
    policies: { dead, emptyOutput: 'notEmitted' },
  });

describe('a diamond of latches', () => {
  it('runs the join once when both branches were taken', () => {
    const play = new Play(diamond('join', 'on')).start('A').settle('A', 'b', 'c');
    expect(play.ready()).toEqual(['B', 'C']);
    play.settle('C');
    expect(play.ready()).toEqual(['B']);
    play.settle('B');
    expect(play.ready()).toEqual(['D']);
    play.settle('D');
    expect(play.end).toMatchObject({ status: 'succeeded' });
    expect(play.runsOf('D')).toHaveLength(1);
    expect(play.runsOf('D')[0]!.inputs.map((input) => input?.from?.node)).toEqual([1, 2]);
  });

  it('runs the join once with the one live branch when the other one was not taken', () => {
    const play = new Play(diamond('join', 'on')).start('A').settle('A', 'b');
    expect(play.skippedNodes()).toEqual(['C']);
    play.settle('B');
    expect(play.ready()).toEqual(['D']);
    play.settle('D');
    expect(play.runsOf('D')[0]!.inputs.map((input) => input?.from?.node)).toEqual([1, undefined]);
  });

  it('skips everything behind a node that takes no port', () => {
    const play = new Play(diamond('join', 'on')).start('A').settle('A', '-');
    expect(play.skippedNodes().sort()).toEqual(['B', 'C', 'D']);
    expect(play.end).toMatchObject({ status: 'succeeded' });
  });
});

describe('a diamond of queues', () => {
  it('runs a node with one input once for each arrival', () => {
    const play = new Play(diamond('each', 'off')).start('A').settle('A', 'b', 'c').settle('B').settle('C');
    expect(play.ready()).toEqual(['D', 'D']);
    play.settle('D').settle('D');
    expect(play.runsOf('D').map((run) => run.seq)).toEqual([0, 1]);
    expect(play.end).toMatchObject({ status: 'succeeded' });
  });

  it('runs it once when only one branch was taken, without a trace of the other', () => {
    const play = new Play(diamond('each', 'off')).start('A').settle('A', 'b').settle('B').settle('D');
    expect(play.runsOf('D')).toHaveLength(1);
    expect(play.skippedNodes()).toEqual([]);
  });
});

describe('a merge that waits for several inputs', () => {
  it('fires once with one token of each queue', () => {
    const play = new Play(diamond('queues', 'off')).start('A').settle('A', 'b', 'c').settle('B');
    expect(play.ready()).toEqual(['C']);
    play.settle('C').settle('D');
    expect(play.runsOf('D')).toHaveLength(1);
  });

  it('fires with what is there when nothing else can happen', () => {
    const play = new Play(diamond('queues', 'off')).start('A').settle('A', 'b').settle('B');
    expect(play.ready()).toEqual(['D']);
    play.settle('D');
    expect(play.runsOf('D')[0]).toMatchObject({ cause: 'starved', inputs: [{ from: { node: 1 } }, null] });
  });

  it('never fires without an input it requires, and the user is told', () => {
    const program = diamond('queues', 'off');
    const nodes = program.nodes.map((node) => (node.name === 'D' ? { ...node, onStarved: { kind: 'fireWithMissing' as const, atLeast: 1, slots: [0, 1], never: true, inputs: 2 } } : node));
    const play = new Play({ ...program, nodes }).start('A').settle('A', 'b').settle('B');
    expect(play.end).toMatchObject({ status: 'succeeded' });
    expect(play.runsOf('D')).toEqual([]);
    expect(play.snapshot.execution.warnings).toEqual(['Node "D" did not run: some of its inputs never came.']);
  });

  it('pairs in the order of arrival and fires the rest at the end', () => {
    const program = buildProgram({
      nodes: [{ name: 'A', entrance: 'each' }, { name: 'B1', entrance: 'each' }, { name: 'B2', entrance: 'each' }, { name: 'C', entrance: 'each' }, { name: 'M', entrance: 'queues' }],
      edges: ['A -> B1', 'A -> B2', 'A -> C', 'B1 -> M.0', 'B2 -> M.0', 'C -> M.1'],
      policies: { dead: 'off', emptyOutput: 'notEmitted' },
    });
    const play = new Play(program).start('A').settle('A').settle('B1').settle('B2').settle('C');
    expect(play.ready()).toEqual(['M']);
    play.settle('M');
    expect(play.ready()).toEqual(['M']);
    play.settle('M');
    expect(play.runsOf('M').map((run) => run.inputs.map((input) => input?.from?.node ?? null))).toEqual([[1, 3], [2, null]]);
  });
});

describe('a loop by a back edge', () => {
  it('runs node by node, each pass a run of its own', () => {
    const program = buildProgram({
      nodes: [{ name: 'T' }, { name: 'L', entrance: 'each', ports: ['done', 'loop'] }, { name: 'B', entrance: 'each' }, { name: 'E', entrance: 'each' }],
      edges: ['T -> L', 'L.done -> E', 'L.loop -> B', 'B -> L'],
      policies: { dead: 'off', emptyOutput: 'notEmitted' },
    });
    const play = new Play(program).start('T').settle('T').settle('L', 'loop').settle('B').settle('L', 'loop').settle('B').settle('L', 'done').settle('E');
    expect(play.history.map((run) => `${'TLBE'[run.node]}${run.seq}`)).toEqual(['T0', 'L0', 'B0', 'L1', 'B1', 'L2', 'E0']);
    expect(play.end).toMatchObject({ status: 'succeeded' });
  });
});

describe('a cycle of latches with a join behind it', () => {
  const program = buildProgram({
    nodes: [{ name: 'S', ports: ['h', 'k'] }, { name: 'H', groups: [['S.h'], ['X.again']] }, { name: 'X', ports: ['exit', 'again'] }, { name: 'N' }, { name: 'K' }, { name: 'J' }],
    edges: ['S.h -> H', 'X.again -> H', 'S.k -> K', 'H -> X', 'X.exit -> N', 'N -> J', 'K -> J'],
  });

  it('holds the dead exit until the cycle is quiet, so that the join waits for the loop', () => {
    const play = new Play(program).start('S').settle('S', 'h', 'k').settle('K').settle('H').settle('X', 'again');
    expect(play.ready()).toEqual(['H']);
    expect(play.skippedNodes()).toEqual([]);
    play.settle('H').settle('X', 'exit').settle('N');
    expect(play.ready()).toEqual(['J']);
    play.settle('J');
    expect(play.runsOf('J')).toHaveLength(1);
    expect(play.runsOf('J')[0]!.inputs.map((input) => input?.from?.node)).toEqual([3, 4]);
    expect(play.end).toMatchObject({ status: 'succeeded' });
  });

  it('runs the join behind a loop that was never entered', () => {
    const play = new Play(program).start('S').settle('S', 'k');
    expect(play.skippedNodes().sort()).toEqual(['H', 'N', 'X']);
    play.settle('K');
    expect(play.ready()).toEqual(['J']);
  });

  it('hangs there with the literal rule, as the system it stands for does', () => {
    const literal = { ...program, policies: { ...program.policies, skipRule: 'allSlots' as const } };
    const play = new Play(literal).start('S').settle('S', 'k').settle('K');
    expect(play.runsOf('J')).toEqual([]);
    expect(play.ready()).toEqual([]);
  });
});

describe('a map with a wait inside', () => {
  const program = buildProgram({
    nodes: [{ name: 'M', regionSpec: { driver: { kind: 'map', maxConcurrency: 2, batch: null }, entries: ['A'], resultNode: 'Z' } }, { name: 'A', region: 'M' }, { name: 'W', region: 'M' }, { name: 'Z', region: 'M' }, { name: 'E' }],
    edges: ['A -> W', 'W -> Z', 'M -> E'],
  });

  it('keeps its other iterations going, waits, and closes with the results in order', () => {
    const play = new Play(program).start('M').effects('M', { kind: 'enter', count: 3 });
    expect(play.ready()).toEqual(['0/A', '1/A']);
    play.settle('0/A').settle('0/W').settle('0/Z');
    expect(play.ready()).toEqual(['1/A', '2/A']);
    play.settle('1/A').suspend('1/W', { key: 'approve' }).settle('2/A').settle('2/W').settle('2/Z');
    expect(play.snapshot.execution.status).toBe('waiting');
    expect(play.ready()).toEqual([]);
    play.wake('1/W').settle('1/W').settle('1/Z');
    expect(play.ready()).toEqual(['E']);
    const region = play.runsOf('M')[0]!;
    expect(region.outputs).toEqual([{ port: 0, count: 3, list: 'results.0', entries: 3 }]);
    play.settle('E');
    expect(play.end).toMatchObject({ status: 'succeeded' });
  });

  it('gives the place of a suspended iteration away when told so', () => {
    const nodes = program.nodes.map((node) => (node.regionSpec ? { ...node, regionSpec: { ...node.regionSpec, countSuspended: false } } : node));
    const play = new Play({ ...program, nodes }).start('M').effects('M', { kind: 'enter', count: 3 });
    play.settle('0/A').suspend('0/W');
    expect(play.ready()).toEqual(['1/A', '2/A']);
  });

  it('opens a batch only when the one before has ended', () => {
    const nodes = program.nodes.map((node) => (node.regionSpec ? { ...node, regionSpec: { ...node.regionSpec, driver: { kind: 'map' as const, maxConcurrency: 2, batch: 2 } } } : node));
    const play = new Play({ ...program, nodes }).start('M').effects('M', { kind: 'enter', count: 3 });
    play.settle('0/A').settle('0/W').settle('0/Z');
    expect(play.ready()).toEqual(['1/A']);
    play.settle('1/A').settle('1/W').settle('1/Z');
    expect(play.ready()).toEqual(['2/A']);
  });
});

describe('regions', () => {
  const region = (spec: Parameters<typeof buildProgram>[0]['nodes'][number]['regionSpec']) =>
    buildProgram({ nodes: [{ name: 'R', regionSpec: spec! }, { name: 'A', region: 'R' }, { name: 'B', region: 'R' }, { name: 'E' }], edges: ['A -> B', 'R -> E'] });

  it('iterate one after the other', () => {
    const play = new Play(region({ driver: { kind: 'forEach' }, entries: ['A'] })).start('R').effects('R', { kind: 'enter', count: 2 });
    expect(play.ready()).toEqual(['0/A']);
    play.settle('0/A').settle('0/B');
    expect(play.ready()).toEqual(['1/A']);
    play.settle('1/A').settle('1/B');
    expect(play.ready()).toEqual(['E']);
  });

  it('pass over an empty list, or fail on it when told so', () => {
    expect(new Play(region({ driver: { kind: 'forEach' }, entries: ['A'] })).start('R').effects('R', { kind: 'enter', count: 0 }).ready()).toEqual(['E']);
    expect(new Play(region({ driver: { kind: 'forEach' }, entries: ['A'], onEmpty: 'error' })).start('R').effects('R', { kind: 'enter', count: 0 }).end).toMatchObject({ status: 'failed' });
  });

  it('ask the condition of a while before each iteration', () => {
    const play = new Play(region({ driver: { kind: 'while' }, entries: ['A'] })).start('R').effects('R', { kind: 'enter', count: 0 });
    play.effects('0/R?', { kind: 'continue', again: true }).settle('0/A').settle('0/B');
    expect(play.ready()).toEqual(['1/R?']);
    play.effects('1/R?', { kind: 'continue', again: false });
    expect(play.ready()).toEqual(['E']);
  });

  it('ask the condition of a do-while after each iteration', () => {
    const play = new Play(region({ driver: { kind: 'doWhile' }, entries: ['A'] })).start('R').effects('R', { kind: 'enter', count: 0 });
    play.settle('0/A').settle('0/B').effects('0/R?', { kind: 'continue', again: true }).settle('1/A').settle('1/B').effects('1/R?', { kind: 'continue', again: false });
    expect(play.ready()).toEqual(['E']);
    expect(play.runsOf('R')[0]!.outputs[0]!.count).toBe(2);
  });

  it('take the branches that were selected', () => {
    const play = new Play(region({ driver: { kind: 'select' }, entries: [], branches: [['A'], ['B']] })).start('R').effects('R', { kind: 'enter', count: 0, branches: [1] });
    expect(play.ready()).toEqual(['0/B']);
    play.settle('0/B');
    expect(play.ready()).toEqual(['E']);
  });

  it('run a called program once', () => {
    const play = new Play(region({ driver: { kind: 'call' }, entries: ['A'] })).start('R').effects('R', { kind: 'enter', count: 0 }).settle('0/A').settle('0/B');
    expect(play.ready()).toEqual(['E']);
  });

  it('stop at a break', () => {
    const play = new Play(region({ driver: { kind: 'forEach' }, entries: ['A'] })).start('R').effects('R', { kind: 'enter', count: 5 }).effects('0/A', { kind: 'break' });
    expect(play.ready()).toEqual(['E']);
  });

  it.each([
    ['fail', 'failed', []],
    ['null', 'succeeded', [2]],
    ['drop', 'succeeded', [1]],
    ['collect', 'succeeded', [2]],
  ] as const)('treat a failed iteration by the policy %s', (onIterationError, status, counts) => {
    const play = new Play(region({ driver: { kind: 'forEach' }, entries: ['A'], onIterationError })).start('R').effects('R', { kind: 'enter', count: 2 });
    play.outcome('0/A', { kind: 'failed', error: { message: 'no' } });
    if (onIterationError !== 'fail') play.settle('1/A').settle('1/B').settle('E');
    expect(play.end).toMatchObject({ status });
    expect(play.runsOf('R').filter((run) => run.status === 'done').map((run) => run.outputs[0]!.count)).toEqual(counts);
  });
});

describe('suspension and invocation', () => {
  it('leaves other branches running while one waits', () => {
    const play = new Play(diamond('join', 'on')).start('A').settle('A', 'b', 'c').suspend('B');
    expect(play.snapshot.execution.status).toBe('running');
    play.settle('C');
    expect(play.snapshot.execution.status).toBe('waiting');
    play.wake('B').settle('B').settle('D');
    expect(play.end).toMatchObject({ status: 'succeeded' });
  });

  it('parks everything behind it where a suspension keeps its place', () => {
    const program = { ...diamond('each', 'off'), policies: { ...diamond('each', 'off').policies, maxConcurrency: 1, suspendedHoldsPlace: true } };
    const play = new Play(program).start('A').settle('A', 'b', 'c').suspend('B');
    expect(play.ready()).toEqual([]);
    expect(play.snapshot.execution.status).toBe('waiting');
    play.wake('B').settle('B');
    expect(play.ready()).toEqual(['D']);
  });

  it('runs the nodes an activation calls and wakes it when all have ended', () => {
    const program = buildProgram({ nodes: [{ name: 'Agent' }, { name: 'Tool' }, { name: 'E' }], edges: ['Tool ~> Agent', 'Agent -> E'] });
    const call = { kind: 'invoke' as const, node: 1, arguments: { q: 1 } };
    const play = new Play(program).start('Agent').suspend('Agent', { resume: 'reenter' }, [call, call]);
    expect(play.ready()).toEqual(['0/Tool', '1/Tool']);
    play.settle('1/Tool');
    expect(play.waiting()).toEqual(['Agent']);
    play.settle('0/Tool');
    expect(play.ready()).toEqual(['Agent']);
    play.suspend('Agent', { resume: 'reenter' }, [call]);
    expect(play.ready()).toEqual(['2/Tool']);
    play.settle('2/Tool').settle('Agent').settle('E');
    expect(play.end).toMatchObject({ status: 'succeeded' });
  });
});

describe('ends', () => {
  it('tries again as often as the policy says, then fails the execution', () => {
    const program = buildProgram({ nodes: [{ name: 'A', overrides: { retry: { tries: 3, delayMs: 100, factor: 2, maxDelayMs: 1000, retrySoftFailures: false } } }], edges: [] });
    const play = new Play(program).start('A');
    for (let attempt = 0; attempt < 3; attempt++) play.outcome('A', { kind: 'failed', error: { message: 'no' } });
    expect(play.end).toMatchObject({ status: 'failed', cause: 'node-failed', error: { message: 'no', node: 'A' } });
    expect(play.runsOf('A')).toMatchObject([{ attempt: 3, status: 'failed' }]);
  });

  it('lets what runs finish after a failure and starts nothing new', () => {
    const play = new Play(diamond('join', 'on')).start('A').settle('A', 'b', 'c').outcome('B', { kind: 'failed', error: { message: 'no' } });
    expect(play.end).toBeNull();
    play.settle('C');
    expect(play.end).toMatchObject({ status: 'failed' });
    expect(play.ready()).toEqual([]);
  });

  it('ends at a halt although branches are left', () => {
    const play = new Play(diamond('join', 'on')).start('A').settle('A', 'b', 'c').effects('B', { kind: 'halt' }).settle('C');
    expect(play.end).toMatchObject({ status: 'succeeded' });
    expect(play.runsOf('D')).toEqual([]);
  });

  it('is canceled at once, and nothing changes it afterwards', () => {
    const play = new Play(diamond('join', 'on')).start('A').settle('A', 'b', 'c').cancel();
    expect(play.end).toMatchObject({ status: 'canceled', cause: 'user' });
    expect(() => play.settle('B')).toThrow('unchanged');
  });

  it.each([
    ['deadAll', { kind: 'deadAll' as const }, ['B', 'C']],
    ['a port', { kind: 'port' as const, port: 1 }, ['B']],
  ])('goes on after an error by %s', (_, onError, skipped) => {
    const program = diamond('join', 'on');
    const nodes = program.nodes.map((node) => (node.name === 'A' ? { ...node, onError } : node));
    const play = new Play({ ...program, nodes, policies: { ...program.policies, emptyOutput: 'emitted' } }).start('A').outcome('A', { kind: 'failed', error: { message: 'no' } });
    expect(play.skippedNodes().filter((name) => name !== 'D').sort()).toEqual(skipped);
  });

  it('stops or fails when the budget is used up', () => {
    const loop = (onExhausted: 'stop' | 'fail') => buildProgram({ nodes: [{ name: 'A', entrance: 'each' }], edges: ['A -> A'], policies: { budget: { runs: 3, onExhausted }, dead: 'off' } });
    expect(new Play(loop('stop')).start('A').settle('A').settle('A').settle('A').end ?? 'open').toMatchObject({ status: 'succeeded', cause: 'budget' });
    expect(new Play(loop('fail')).start('A').settle('A').settle('A').settle('A').end ?? 'open').toMatchObject({ status: 'failed', cause: 'budget' });
  });
});
