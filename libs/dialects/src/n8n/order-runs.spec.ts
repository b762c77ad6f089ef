import { describe, expect, it } from 'vitest';
import { link } from '@app/engine';
import { buildProgram } from '@app/engine/testing/build-program.ts';
import { orderRuns, type OrderedRun } from './order-runs.ts';

const names = ['In', 'P', 'None', 'Q', 'MergeP', 'EndP', 'MergeQ', 'EndQ'];
const merge = { entrance: 'queues' as const };
const program = link(
  buildProgram({
    nodes: names.map((name) => ({ name, ...(name.startsWith('Merge') ? merge : {}) })),
    edges: ['In -> P', 'In -> None', 'In -> Q', 'P -> MergeP.0', 'None -> MergeP.1', 'None -> MergeQ.1', 'Q -> MergeQ.0', 'MergeP -> EndP', 'MergeQ -> EndQ'],
    policies: { dead: 'off', order: 'depthFirst' },
  }),
);

/** Runs that were committed in this order, each fed by the one named. */
type Committed = readonly [node: string, by: string | null, cause?: string];

function committed(...runs: readonly Committed[]): OrderedRun[] {
  return runs.map(([node, by, cause = 'token'], index) => ({
    scope: '',
    node: names.indexOf(node),
    seq: 0,
    commit: index + 1,
    cause,
    inputs: by === null ? [] : [{ edge: program.edges.findIndex((edge) => edge.from.node === names.indexOf(by) && edge.to.node === names.indexOf(node)), ref: null, from: { scope: '', node: names.indexOf(by), seq: 0, port: 0 } }],
  }));
}

const order = (...runs: readonly Committed[]): string[] => orderRuns(program, committed(...runs)).map(({ node }) => names[node]!);

const serial = ['In', 'P', 'None', 'Q', 'MergeP', 'EndP', 'MergeQ', 'EndQ'];

describe('the order that a serial execution would have had', () => {
  it('does not depend on which branch was faster', () => {
    expect(order(['In', null, 'start'], ['Q', 'In'], ['None', 'In'], ['P', 'In'])).toEqual(['In', 'P', 'None', 'Q']);
  });

  it.each([
    ['the one that waits first', ['P', 'Q', 'P', 'Q']],
    ['the other one', ['Q', 'P', 'Q', 'P']],
  ])('does not depend on which of two starved nodes was released first: %s', (_, [a, b, c, d]) => {
    expect(
      order(['In', null, 'start'], ['None', 'In'], [a!, 'In'], [b!, 'In'], [`Merge${c}`, c!, 'starved'], [`End${c}`, `Merge${c}`], [`Merge${d}`, d!, 'starved'], [`End${d}`, `Merge${d}`]),
    ).toEqual(serial);
  });

  it('puts a starved node behind the starved one that fed it', () => {
    expect(order(['In', null, 'start'], ['Q', 'In'], ['MergeQ', 'Q', 'starved'], ['EndQ', 'MergeQ'], ['EndP', 'EndQ', 'starved'])).toEqual(['In', 'Q', 'MergeQ', 'EndQ', 'EndP']);
  });
});
