import { describe, expect, it } from 'vitest';
import type { Item } from '@app/engine';
import { firstOf, outputsOf } from '../../testing/run-node.ts';
import { shuffled } from './shuffle.ts';
import { sort } from './sort.ts';

const by = (...sortField: { fieldName: string; order?: string }[]) => ({ sortFieldsUi: { sortField } });

describe('Sort', () => {
  it('sorts by several fields, each in its direction, and keeps equal items in order', async () => {
    const parameters = by({ fieldName: 'a' }, { fieldName: 'b', order: 'descending' });
    const inputs = [[{ a: 2, b: 1 }, { a: 1, b: 1, n: 1 }, { a: 1, b: 2 }, { a: 1, b: 1, n: 2 }]];
    expect(await firstOf(sort, { parameters, inputs })).toEqual([{ a: 1, b: 2 }, { a: 1, b: 1, n: 1 }, { a: 1, b: 1, n: 2 }, { a: 2, b: 1 }]);
  });

  it('ignores capitals and keeps the pairing', async () => {
    const [items] = await outputsOf(sort, { parameters: by({ fieldName: 'v' }), inputs: [[{ v: 'b' }, { v: 'A' }]] });
    expect(items).toMatchObject([{ json: { v: 'A' }, pairedItem: { item: 1 } }, { json: { v: 'b' } }]);
  });

  it('fails for a field that no item has', async () => {
    await expect(firstOf(sort, { parameters: by({ fieldName: 'nope' }), inputs: [[{ a: 1 }]] })).rejects.toThrow(`Couldn't find the field 'nope'`);
    expect(await firstOf(sort, { parameters: by({ fieldName: 'a' }), inputs: [[{ a: 1 }, {}]] })).toHaveLength(2);
  });

  it('lets the sandbox decide about the order and moves the items itself', async () => {
    const runCode = (_: unknown, items: readonly Item[]) => ({ results: [{ value: { order: items.map((_item, index) => items.length - 1 - index) } }], logs: [] });
    const parameters = { type: 'code', code: 'return a.json.v - b.json.v;' };
    expect(await firstOf(sort, { parameters, inputs: [[{ v: 3 }, { v: 1 }]], runCode })).toEqual([{ v: 1 }, { v: 3 }]);
    await expect(firstOf(sort, { parameters: { type: 'code', code: 'a - b' }, runCode })).rejects.toThrow(/doesn't return/);
  });
});

describe('shuffled', () => {
  it('is the same for the same seed, differs between seeds, and loses nothing', () => {
    const input = Array.from({ length: 50 }, (_, index) => index);
    expect(shuffled(input, 'a')).toEqual(shuffled(input, 'a'));
    expect(shuffled(input, 'a')).not.toEqual(shuffled(input, 'b'));
    expect([...shuffled(input, 'a')].sort((a, b) => a - b)).toEqual(input);
  });
});
