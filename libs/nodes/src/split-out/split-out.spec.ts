import { describe, expect, it } from 'vitest';
import { firstOf, outputsOf } from '../../testing/run-node.ts';
import { splitOut } from './split-out.ts';

const run = (parameters: object, ...input: object[]) => firstOf(splitOut, { parameters: { ...parameters }, inputs: [input as never] });

describe('Split Out', () => {
  it('makes an item of every element and pairs it with its origin', async () => {
    const [items] = await outputsOf(splitOut, { parameters: { fieldToSplitOut: 'l' }, inputs: [[{ l: [1] }, { l: [2, 3] }]] });
    expect(items).toEqual([
      { json: { l: 1 }, pairedItem: { item: 0 } },
      { json: { l: 2 }, pairedItem: { item: 1 } },
      { json: { l: 3 }, pairedItem: { item: 1 } },
    ]);
  });

  it('spreads objects, and keeps the name for everything else', async () => {
    expect(await run({ fieldToSplitOut: 'l' }, { l: [{ a: 1 }, null, 'x'] })).toEqual([{ a: 1 }, { l: null }, { l: 'x' }]);
  });

  it.each([
    [{}, []],
    [{ l: [] }, []],
    [{ l: null }, [{ l: null }]],
    [{ l: 5 }, [{ l: 5 }]],
    [{ l: { a: 1, b: { c: 2 } } }, [{ l: 1 }, { c: 2 }]],
  ])('splits %j', async (input, expected) => {
    expect(await run({ fieldToSplitOut: 'l' }, input)).toEqual(expected);
  });

  it('adds all other fields or selected ones', async () => {
    const input = { id: 1, t: 'x', o: { l: [{ a: 1 }], rest: 2 } };
    expect(await run({ fieldToSplitOut: 'o.l', include: 'allOtherFields' }, input)).toEqual([{ id: 1, t: 'x', o: { rest: 2 }, 'o.l': { a: 1 } }]);
    const selected = { fieldToSplitOut: 'o.l', include: 'selectedOtherFields', fieldsToInclude: 't' };
    expect(await run({ ...selected, options: { destinationFieldName: 'e' } }, input)).toEqual([{ t: 'x', e: { a: 1 } }]);
  });

  it('splits several fields side by side', async () => {
    const parameters = { fieldToSplitOut: 'a, b', options: { destinationFieldName: 'n, t' } };
    expect(await run(parameters, { a: [1, 2], b: ['x'] })).toEqual([{ n: 1, t: 'x' }, { n: 2 }]);
    await expect(run({ ...parameters, options: { destinationFieldName: 'n' } }, { a: [1] })).rejects.toThrow(/same number of destination/);
  });

  it('splits the files of an item', async () => {
    const file = { mimeType: 'text/plain', data: 'eA==' };
    const [items] = await outputsOf(splitOut, { parameters: { fieldToSplitOut: '$binary' }, inputs: [[{ json: { id: 1 }, binary: { a: file, b: file } }]] });
    expect(items?.map((item) => item.binary)).toEqual([{ a: file }, { b: file }]);
  });
});
