import { describe, expect, it } from 'vitest';
import { buildProgram, type ProgramSketch } from '../testing/build-program.ts';
import { Play } from '../testing/play.ts';
import { carryOn } from './carry-on.ts';
import { link } from './linked-program.ts';

const diamond: ProgramSketch = {
  nodes: [{ name: 'A', ports: ['out'] }, { name: 'B', entrance: 'each' }, { name: 'C', entrance: 'each' }, { name: 'D', entrance: 'queues' }],
  edges: ['A -> B', 'A -> C', 'B -> D.0', 'C -> D.1'],
};
const error = { message: 'no', code: 'node_failed' };

function carried(play: Play, sketch: ProgramSketch) {
  const open = play.activations().map((activation) => ({ ...activation, status: activation.state }));
  return carryOn(link(buildProgram(sketch)), { executionId: '7', runs: play.history, open, snapshot: play.snapshot });
}

describe('an ended execution that is taken up again', () => {
  it('does the failed run again under its run index, with items read from the execution that wrote them', () => {
    const play = new Play(buildProgram(diamond)).start('A').settle('A').settle('C').outcome('B', { kind: 'failed', error });
    expect(play.end?.status).toBe('failed');
    const on = carried(play, diamond)!;
    expect(on.runs.map(({ node }) => node)).toEqual([0, 2]);
    const { created, execution, end } = on.decide(on.snapshot, 50);
    expect(created).toMatchObject([{ node: 1, seq: 0, readyAt: 50, inputs: [{ ref: { execution: '7', node: 0 } }] }]);
    expect({ open: execution.open, status: execution.status, end }).toEqual({ open: 1, status: 'running', end: null });
    // What waits at the join waits on, and names the execution that wrote it.
    expect([...on.snapshot.tokens.values()].flatMap(({ tokens }) => tokens)).toMatchObject([{ ref: { execution: '7', node: 2 } }]);
  });

  it('takes up what was still queued when it ended', () => {
    const serial = { ...diamond, policies: { maxConcurrency: 1 } };
    const play = new Play(buildProgram(serial)).start('A').settle('A');
    const first = play.ready()[0]!;
    const other = first === 'B' ? 'C' : 'B';
    play.outcome(first, { kind: 'failed', error });
    const on = carried(play, serial)!;
    const { created, execution } = on.decide(on.snapshot, 50);
    expect(created.map(({ node }) => node)).toEqual([first === 'B' ? 1 : 2]);
    expect(execution.queued).toBe(1);
    expect(on.snapshot.queue!.map(({ node }) => node)).toEqual([other === 'B' ? 1 : 2]);
  });

  it('cannot be taken up when nothing of it failed, or while something waited', () => {
    const over = new Play(buildProgram(diamond)).start('A').settle('A').settle('B').settle('C').settle('D');
    expect(over.end?.status).toBe('succeeded');
    expect(carried(over, diamond)).toBeUndefined();
    const parked = new Play(buildProgram(diamond)).start('A').settle('A').outcome('B', { kind: 'suspended', suspension: { key: 'k', wait: 'human', until: null, resume: 'complete', children: 0 }, effects: [] });
    parked.outcome('C', { kind: 'failed', error });
    expect(parked.end?.status).toBe('failed');
    expect(carried(parked, diamond)).toBeUndefined();
  });
});
