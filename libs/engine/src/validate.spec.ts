import { buildProgram } from '@app/engine/testing/build-program.ts';
import { validate, type Program } from '@app/engine';
import { describe, expect, it } from 'vitest';

const sound = (): Program =>
  buildProgram({
    nodes: [
      { name: 'A', ports: ['x', 'y'] },
      { name: 'B' },
      { name: 'R', regionSpec: { driver: { kind: 'map', maxConcurrency: 2, batch: null }, entries: ['C'], resultNode: 'C' } },
      { name: 'C', region: 'R' },
      { name: 'T' },
    ],
    edges: ['A.x -> B', 'A.y -> R', 'T ~> A'],
  });

/** The codes of a program in which the value at a path was replaced. */
function codesWith(path: string, value: unknown): string[] {
  const program = structuredClone(sound()) as unknown as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop()!;
  const holder = keys.reduce((at, key) => at[key] as Record<string, unknown>, program);
  holder[last] = value;
  return validate(program).map((problem) => problem.code);
}

describe('validate', () => {
  it('has nothing to say of a program that is in order', () => {
    expect(validate(sound())).toEqual([]);
  });

  it.each([null, undefined, 7, 'program', [], () => 1])('refuses %o, which is no program, and does not throw', (value) => {
    expect(validate(value).map((problem) => problem.code)).toEqual(['not_a_program']);
  });

  it.each([
    ['format', 2, 'unknown_format'],
    ['nodes', {}, 'wrong_type'],
    ['policies', null, 'wrong_type'],
    ['policies.maxConcurrency', 0, 'out_of_range'],
    ['policies.order', 'random', 'unknown_value'],
    ['policies.budget', { runs: 0, onExhausted: 'stop' }, 'out_of_range'],
    ['nodes.1.index', 0, 'wrong_index'],
    ['nodes.1.region', 99, 'out_of_range'],
    ['nodes.1.region', 0, 'not_a_region'],
    ['nodes.2.region', 2, 'region_in_itself'],
    ['nodes.1.region', 2, 'crosses_border'],
    ['nodes.1.groups.0.slots', [], 'empty_group'],
    ['nodes.1.groups.0.slots', [0, 0], 'duplicate'],
    ['nodes.1.groups.0.needLive', 2, 'out_of_range'],
    ['nodes.1.slots.0.input', 1e9, 'out_of_range'],
    ['nodes.1.slots.0.edges', [1], 'foreign_edge'],
    ['nodes.1.slots.0.edges', [], 'unlisted_edge'],
    ['nodes.1.onStarved', { kind: 'fireWithMissing', atLeast: 1, slots: [4], never: false, inputs: 2 }, 'out_of_range'],
    ['nodes.1.onError', { kind: 'port', port: 1 }, 'out_of_range'],
    ['nodes.1.retry.tries', 0, 'out_of_range'],
    ['nodes.1.retry.delayMs', Number.NaN, 'out_of_range'],
    ['nodes.1.kind', 'region', 'wrong_type'],
    ['edges.0.from.port', 5, 'out_of_range'],
    ['edges.0.to.node', -1, 'out_of_range'],
    ['edges.0.to.slot', 3, 'out_of_range'],
    ['edges.0.kind', 'resource', 'foreign_edge'],
    ['edges.2.to.node', 2, 'region_calls'],
    ['nodes.2.regionSpec.entries', [], 'no_entry'],
    ['nodes.2.regionSpec.entries', [1], 'not_in_body'],
    ['nodes.2.regionSpec.driver', { kind: 'forever' }, 'unknown_value'],
    ['nodes.2.regionSpec.driver', { kind: 'map', maxConcurrency: 0, batch: null }, 'out_of_range'],
    ['nodes.2.regionSpec.resultNode', 0, 'not_in_body'],
    ['nodes.2.regionSpec.donePort', 1, 'out_of_range'],
  ])('with %s = %j finds %s', (path, value, code) => {
    expect(codesWith(path, value)).toContain(code);
  });

  it('says where, what and what to do', () => {
    const program = structuredClone(sound());
    const [problem] = validate({ ...program, edges: program.edges.map((edge) => (edge.index === 0 ? { ...edge, from: { node: 0, port: 9 } } : edge)) });
    expect(problem).toEqual({ severity: 'error', code: 'out_of_range', path: '$.edges[0].from.port', message: '9 is not a whole number from 0 to 1.', suggestion: 'Use a number from 0 to 1.' });
  });
});
