import type { Item } from '@app/engine';
import { describe, expect, it } from 'vitest';
import { evaluateFast } from '../../testing/both-ways.ts';
import { executionDataOf, item, runOf, sourceOf } from '../../testing/execution-data-of.ts';
import type { Recorded } from '../../testing/execution-data-of.ts';

const ids = (...names: string[]): Item[] => names.map((id, index) => item({ id }, { item: index }));

function read(expression: string, recorded: Recorded, itemIndex = 0): unknown {
  const ending = evaluateFast(`={{ ${expression} }}`, executionDataOf(recorded), itemIndex);
  return ending && 'error' in ending ? ending.error : ending?.value;
}

describe('the item of another node that an item descends from', () => {
  it('is found through nodes that filter and reorder', () => {
    const recorded: Recorded = {
      edges: ['In -> Sort', 'Sort -> Keep', 'Keep -> Current'],
      nodes: {
        In: { runs: [runOf(null, ids('a', 'b', 'c'))] },
        Sort: { runs: [runOf('In', [item({}, { item: 2 }), item({}, { item: 1 }), item({}, { item: 0 })])] },
        Keep: { runs: [runOf('Sort', [item({}, 0), item({}, { item: 2 })])] },
      },
      inputs: [[item({}), item({})]],
    };
    expect(read("$('In').item.json.id", recorded, 0)).toBe('c');
    expect(read("$('In').item.json.id", recorded, 1)).toBe('a');
    expect(read("$('In').itemMatching(1).json.id", recorded, 0)).toBe('a');
  });

  it('is found on the input the item came from, behind a node with several', () => {
    const recorded: Recorded = {
      edges: ['A -> Merge', 'B -> Merge', 'Merge -> Current'],
      nodes: {
        A: { runs: [runOf(null, ids('a'))] },
        B: { runs: [runOf(null, ids('b'))] },
        Merge: { runs: [{ outputs: [[item({}, 0), item({}, { item: 0, input: 1 })]], sources: [sourceOf('A'), sourceOf('B')] }] },
      },
      inputs: [[item({}), item({})]],
    };
    expect(read("$('A').item.json.id", recorded, 0)).toBe('a');
    expect(read("$('B').item.json.id", recorded, 1)).toBe('b');
    expect(read("$('B').item.json.id", recorded, 0), 'the item did not come through that branch').toBeUndefined();
  });

  it('is the one in the run that the item passed through', () => {
    const recorded: Recorded = {
      edges: ['Step -> Current'],
      nodes: { Step: { runs: [runOf(null, ids('first')), runOf(null, ids('second'))] } },
      inputSources: [sourceOf('Step', 0, 0)],
    };
    expect(read("$('Step').item.json.id", recorded)).toBe('first');
    expect(read("$('Step').first().json.id", recorded)).toBe('second');
  });

  it('is followed where a batch of a loop says the item really came from', () => {
    const recorded: Recorded = {
      edges: ['In -> Loop', 'Loop.1 -> Current', 'Current -> Loop'],
      nodes: {
        In: { runs: [runOf(null, ids('a', 'b'))] },
        Loop: {
          runs: [
            runOf('In', []),
            { outputs: [[], [item({}, { item: 1, sourceOverwrite: sourceOf('In') })]], sources: [sourceOf('Current')] },
          ],
        },
      },
      inputSources: [sourceOf('Loop', 1, 1)],
    };
    expect(read("$('In').item.json.id", recorded)).toBe('b');
  });

  const joined = (pairedItem: Item['pairedItem']): Recorded => ({
    edges: ['In -> Join', 'Join -> Current'],
    nodes: { In: { runs: [runOf(null, ids('a', 'b'))] }, Join: { runs: [runOf('In', [item({}, pairedItem)])] } },
  });

  it.each([
    ['one of several that lead to the same item', [{ item: 1 }, { item: 1 }], 'b'],
    ['one of several of which some lead nowhere', [{ item: 9 }, { item: 0 }], 'a'],
    ['ambiguous when several lead to different items', [{ item: 0 }, { item: 1 }], 'expression_paired_item'],
    ['unavailable when the pairing is missing', undefined, 'expression_paired_item'],
    ['unavailable when the pairing names an item that is not there', 7, 'expression_paired_item'],
    ['unavailable when the list of pairings is empty', [], 'expression_paired_item'],
  ])('is %s', (_name, pairedItem, expected) => {
    expect(read("$('In').item.json.id", joined(pairedItem as Item['pairedItem']))).toBe(expected);
  });

  it('cannot be asked of a node that has not run or is no ancestor', () => {
    const recorded: Recorded = {
      edges: ['In -> Current', 'In -> Side', 'Late -> Current'],
      nodes: { In: { runs: [runOf(null, ids('a'))] }, Side: { runs: [runOf('In', ids('s'))] }, Late: {} },
    };
    expect(read("$('Side').item", recorded)).toBe('expression_paired_item');
    expect(read("$('Late').item", recorded)).toBe('expression_paired_item');
    expect(read("$('Gone').item", recorded)).toBe('expression_unknown_node');
  });

  it('is found in time that grows with the runs, though the number of paths doubles at every merge', () => {
    const depth = 60;
    const nodes: Record<string, { runs: ReturnType<typeof runOf>[] }> = { M0: { runs: [runOf(null, ids('root'))] } };
    const edges: string[] = [];
    for (let at = 1; at <= depth; at++) {
      const source = sourceOf(`M${at - 1}`);
      nodes[`M${at}`] = { runs: [{ outputs: [[item({}, [{ item: 0 }, { item: 0, input: 1 }])]], sources: [source, source] }] };
      edges.push(`M${at - 1} -> M${at}`);
    }
    expect(read("$('M0').item.json.id", { nodes, edges: [...edges, `M${depth} -> Current`] })).toBe('root');
  });

  it('has no end in a circle of pairings, which is no path', () => {
    const recorded: Recorded = {
      edges: ['In -> A', 'A -> B', 'B -> A', 'A -> Current'],
      nodes: {
        In: { runs: [runOf(null, ids('a'))] },
        A: { runs: [{ outputs: [[item({}, 0)]], sources: [sourceOf('B')] }] },
        B: { runs: [runOf('A', [item({}, 0)])] },
      },
      inputSources: [sourceOf('A')],
    };
    expect(read("$('In').item", recorded)).toBeUndefined();
  });
});
