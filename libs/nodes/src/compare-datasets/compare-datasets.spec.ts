import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@app/engine';
import { jsonOf, outputsOf } from '../../testing/run-node.ts';
import { compareDatasets } from './compare-datasets.ts';

const inputs = [
  [{ id: 1, n: 'ann' }, { id: 2, n: 'bob' }, { id: 3, n: 'cy', v: 3 }],
  [{ id: 2, n: 'bob' }, { id: 3, n: 'cyd', v: 3 }, { id: 4, n: 'dee' }],
];
const by = (more: JsonObject = {}): JsonObject => ({ mergeByFields: { values: [{ field1: 'id', field2: 'id' }] }, ...more });

describe('Compare Datasets', () => {
  it('tells apart what is in one list, the same in both, and different', async () => {
    const difference = { keys: { id: 3 }, same: { id: 3, v: 3 }, different: { n: { inputA: 'cy', inputB: 'cyd' } } };
    expect(await jsonOf(compareDatasets, { parameters: by(), inputs })).toEqual([[inputs[0]![0]], [inputs[0]![1]], [difference], [inputs[1]![2]]]);
  });

  it('pairs items with their own side, and a difference with both', async () => {
    const outputs = await outputsOf(compareDatasets, { parameters: by(), inputs });
    expect(outputs.map((items) => items[0]?.pairedItem)).toEqual([{ item: 0 }, { item: 1 }, [{ item: 2 }, { item: 1, input: 1 }], { item: 2, input: 1 }]);
  });

  it.each([
    [{ resolve: 'preferInput1' }, { id: 3, n: 'cy', v: 3 }],
    [{ resolve: 'preferInput2' }, { id: 3, n: 'cyd', v: 3 }],
    [{ resolve: 'mix', preferWhenMix: 'input1', exceptWhenMix: 'n' }, { id: 3, n: 'cyd', v: 3 }],
  ])('resolves a difference with %j', async (more, expected) => {
    expect((await jsonOf(compareDatasets, { parameters: by(more), inputs }))[2]).toEqual([expected]);
  });

  it('leaves skipped fields out of the comparison', async () => {
    const outputs = await jsonOf(compareDatasets, { parameters: by({ options: { skipFields: 'n' } }), inputs });
    expect(outputs.map((items) => items.length)).toEqual([1, 2, 0, 1]);
  });

  it('does not change the input items when it mixes', async () => {
    const first = [{ id: 1, n: 'a' }];
    await jsonOf(compareDatasets, { parameters: by({ resolve: 'mix', exceptWhenMix: 'n' }), inputs: [first, [{ id: 1, n: 'b' }]] });
    expect(first).toEqual([{ id: 1, n: 'a' }]);
  });
});
