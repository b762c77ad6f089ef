import { describe, expect, it } from 'vitest';
import type { InputToken, PortOutput } from '@app/engine';
import { packFiring, packInputs, packOutputs, unpackFiring, unpackInputs, unpackOutputs, writtenPorts } from './compact.ts';

const from = { scope: '1.0.2', node: 3, seq: 4, port: 1 };

describe('compact references', () => {
  it.each<[string, InputToken | null]>([
    ['nothing', null],
    ['a signal from outside', { edge: -1, ref: null, from: null }],
    ['an output of the run it comes from', { edge: 7, ref: { ...from, count: 2 }, from }],
    ['an output passed on by another run', { edge: 7, ref: { ...from, count: 2 }, from: { ...from, node: 9 } }],
    ['a stamped output', { edge: 7, ref: { ...from, count: 2, restamp: 0 }, from }],
    ['an output of another execution', { edge: 7, ref: { execution: '12', ...from, count: 2 }, from }],
    ['a stamped output of another execution', { edge: 7, ref: { execution: '12', ...from, count: 2, restamp: 1 }, from: null }],
    ['a run without an output', { edge: 7, ref: null, from }],
  ])('bring back %s', (_, token) => {
    expect(unpackInputs(packInputs([token]))).toEqual([token]);
  });

  it('take little room for a step of a chain', () => {
    expect(packInputs([{ edge: 3, ref: { scope: '', node: 2, seq: 0, port: 0, count: 1 }, from: { scope: '', node: 2, seq: 0, port: 0 } }])).toBe('[[3,["",2,0,0,1],1]]');
  });

  it('bring back firings with everything they fire with', () => {
    const firing = { scope: '', node: 1, inputs: [null], cause: 'invoke' as const, phase: 'next' as const, arguments: { a: [null] } };
    expect(unpackFiring(packFiring(firing))).toEqual(firing);
    expect(unpackFiring(packFiring({ scope: '', node: 1, inputs: [], cause: 'token' }))).toEqual({ scope: '', node: 1, inputs: [], cause: 'token' });
  });

  it('tell apart what a run wrote, passed on, listed and merely signaled', () => {
    const outputs: PortOutput[] = [
      { port: 0, count: 1, items: [{ json: {} }] },
      { port: 1, count: 0, items: [] },
      { port: 2, count: 2, ref: { ...from, count: 2 } },
      { port: 3, count: 5, list: 'l' },
      { port: 4, count: 1 },
      { port: 5, count: 1, items: [{ json: {} }] },
      { port: 6, count: 1, list: 'l', entries: 3 },
    ];
    const packed = packOutputs(outputs);
    expect(writtenPorts(packed)).toEqual([0, 5]);
    expect(unpackOutputs(packed)).toEqual(outputs.map(({ items: _, ...rest }) => rest));
    expect(packOutputs([])).toBeNull();
  });
});
