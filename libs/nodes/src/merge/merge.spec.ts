import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@app/engine';
import { firstOf, outputsOf } from '../../testing/run-node.ts';
import { mergeV1 } from './merge-v1.ts';
import { mergeV2 } from './merge-v2.ts';
import { merge } from './merge.ts';

const left = [{ k: 'a', l: 1 }, { k: 'b', l: 2 }];
const right = [{ k: 'b', r: 1 }, { k: 'c', r: 2 }];
const byField = (more: JsonObject = {}): JsonObject => ({ mode: 'combine', fieldsToMatchString: 'k', ...more });

describe('Merge of large inputs', () => {
  const many = (count: number, k = 'x') => Array.from({ length: count }, (_, n) => ({ k, n }));

  it.each([
    ['every item with every item', { mode: 'combine', combineBy: 'combineAll' }],
    ['items that all match each other', byField()],
  ])('refuses to fill the memory: %s', async (_, parameters) => {
    await expect(outputsOf(merge, { parameters, inputs: [many(1_001), many(1_000)] })).rejects.toMatchObject({ code: 'too_many_items', retryable: false });
  });
});

describe('Merge, append and choose', () => {
  it('appends the inputs in their order and pairs each item with its place', async () => {
    const [items] = await outputsOf(merge, { inputs: [left, right] });
    expect(items?.map((item) => item.pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 0, input: 1 }, { item: 1, input: 1 }]);
  });

  it('treats an input that brought nothing as empty', async () => {
    expect(await firstOf(merge, { inputs: [null, right] })).toEqual(right);
  });

  it('takes the items of the chosen input, or one empty item for all', async () => {
    expect(await firstOf(merge, { parameters: { mode: 'chooseBranch', useDataOfInput: '2' }, inputs: [left, right] })).toEqual(right);
    expect(await firstOf(merge, { parameters: { mode: 'chooseBranch', output: 'empty' }, inputs: [left, right] })).toEqual([{}]);
  });

  it('says which inputs it cannot do without', () => {
    expect(merge.description.requiredInputs?.(3.2, { mode: 'chooseBranch' })).toEqual([0, 1]);
    expect(merge.description.requiredInputs?.(3.2, {})).toBe(1);
    expect(mergeV1.description.requiredInputs?.(1, {})).toBeUndefined();
  });

  it('refuses a mode it does not know', async () => {
    await expect(firstOf(merge, { parameters: { mode: 'combineBySql' }, inputs: [left, right] })).rejects.toThrow(/not supported/);
  });
});

describe('Merge by fields', () => {
  it('keeps matches, with the later input winning', async () => {
    const inputs = [[{ k: 1, v: 'l' }], [{ k: 1, v: 'r' }]];
    expect(await firstOf(merge, { parameters: byField(), inputs })).toEqual([{ k: 1, v: 'r' }]);
  });

  it.each([
    ['keepNonMatches', {}, [{ k: 'a', l: 1, _source: 'input1' }, { k: 'c', r: 2, _source: 'input2' }]],
    ['keepNonMatches', { outputDataFrom: 'input2' }, [{ k: 'c', r: 2 }]],
    ['keepEverything', {}, [{ k: 'b', l: 2, r: 1 }, { k: 'a', l: 1 }, { k: 'c', r: 2 }]],
    ['enrichInput1', {}, [{ k: 'b', l: 2, r: 1 }, { k: 'a', l: 1 }]],
    ['enrichInput2', {}, [{ k: 'b', l: 2, r: 1 }, { k: 'c', r: 2 }]],
  ])('%s %j', async (joinMode, more, expected) => {
    expect(await firstOf(merge, { parameters: byField({ joinMode, ...more }), inputs: [left, right] })).toEqual(expected);
  });

  it('prefers input 1 when input 2 is enriched', async () => {
    const inputs = [[{ k: 1, v: 'l' }], [{ k: 1, v: 'r' }]];
    expect(await firstOf(merge, { parameters: byField({ joinMode: 'enrichInput2' }), inputs })).toEqual([{ k: 1, v: 'l' }]);
  });

  it('pairs merged items with both sides', async () => {
    const [items] = await outputsOf(merge, { parameters: byField(), inputs: [left, right] });
    expect(items?.[0]?.pairedItem).toEqual([{ item: 1 }, { item: 0, input: 1 }]);
  });

  it('joins with every match, or the first alone', async () => {
    const many = [[{ k: 1 }], [{ k: 1, r: 1 }, { k: 1, r: 2 }]];
    expect(await firstOf(merge, { parameters: byField(), inputs: many })).toHaveLength(2);
    expect(await firstOf(merge, { parameters: byField({ options: { multipleMatches: 'first' } }), inputs: many })).toHaveLength(1);
  });

  it('matches nothing where the field is missing, but null with null', async () => {
    expect(await firstOf(merge, { parameters: byField(), inputs: [[{ l: 1 }], [{ r: 1 }]] })).toEqual([]);
    expect(await firstOf(merge, { parameters: byField(), inputs: [[{ k: null }], [{ k: null, r: 1 }]] })).toHaveLength(1);
  });

  it('forgives differences of type only when told', async () => {
    const inputs = [[{ k: 1 }], [{ k: '1' }]];
    expect(await firstOf(merge, { parameters: byField(), inputs })).toEqual([]);
    expect(await firstOf(merge, { parameters: byField({ options: { fuzzyCompare: true } }), inputs })).toHaveLength(1);
  });

  it.each([
    ['keepMatches', 0],
    ['enrichInput1', 0],
    ['enrichInput2', 2],
    ['keepEverything', 2],
  ])('with an empty first input %s gives %i items', async (joinMode, count) => {
    expect(await firstOf(merge, { parameters: byField({ joinMode }), inputs: [[], right] })).toHaveLength(count);
  });

  it('needs fields to match on', async () => {
    await expect(firstOf(merge, { parameters: { mode: 'combine' }, inputs: [left, right] })).rejects.toThrow(/at least one pair/);
  });

  it('stays quick with many items on both sides', async () => {
    const many = Array.from({ length: 20_000 }, (_, k) => ({ k }));
    expect(await firstOf(merge, { parameters: byField(), inputs: [many, many] })).toHaveLength(20_000);
  });
});

describe('Merge, clashing fields', () => {
  const clash = (values: JsonObject): JsonObject => byField({ options: { clashHandling: { values } } });

  it('merges objects deeply and lists by position', async () => {
    const inputs = [[{ k: 1, o: { a: 1, b: 1 }, l: [1, 2] }], [{ k: 1, o: { b: 2 }, l: [9] }]];
    expect(await firstOf(merge, { parameters: byField(), inputs })).toEqual([{ k: 1, o: { a: 1, b: 2 }, l: [9, 2] }]);
    expect(await firstOf(merge, { parameters: clash({ mergeMode: 'shallowMerge' }), inputs })).toEqual([{ k: 1, o: { b: 2 }, l: [9] }]);
  });

  it('leaves the merged inputs unchanged', async () => {
    const inner = { a: 1 };
    await firstOf(merge, { parameters: byField(), inputs: [[{ k: 1, o: inner }], [{ k: 1, o: { a: 2 } }]] });
    expect(inner).toEqual({ a: 1 });
  });

  it('renames all fields by input when told', async () => {
    expect(await firstOf(merge, { parameters: clash({ resolveClash: 'addSuffix' }), inputs: [left, right] })).toEqual([{ k_1: 'b', l_1: 2, k_2: 'b', r_2: 1 }]);
  });

  it('keeps filled values against blank ones when told', async () => {
    const inputs = [[{ k: 1, v: 'kept' }], [{ k: 1, v: '' }]];
    expect(await firstOf(merge, { parameters: byField(), inputs })).toEqual([{ k: 1, v: '' }]);
    expect(await firstOf(merge, { parameters: clash({ overrideEmpty: true }), inputs })).toEqual([{ k: 1, v: 'kept' }]);
  });
});

describe('Merge by position and all combinations', () => {
  const position = (options: JsonObject = {}, numberInputs = 2): JsonObject => ({ mode: 'combine', combineBy: 'combineByPosition', numberInputs, options });

  it('cuts to the shortest input, or includes what stands alone', async () => {
    const inputs = [[{ a: 1 }, { a: 2 }], [{ b: 1 }]];
    expect(await firstOf(merge, { parameters: position(), inputs })).toEqual([{ a: 1, b: 1 }]);
    expect(await firstOf(merge, { parameters: position({ includeUnpaired: true }), inputs })).toEqual([{ a: 1, b: 1 }, { a: 2 }]);
  });

  it('takes more than two inputs', async () => {
    expect(merge.description.inputs(3.2, position({}, 3))).toBe(3);
    expect(await firstOf(merge, { parameters: position({}, 3), inputs: [[{ a: 1 }], [{ b: 1 }], [{ c: 1 }]] })).toEqual([{ a: 1, b: 1, c: 1 }]);
  });

  it('gives every combination', async () => {
    const parameters = { mode: 'combine', combineBy: 'combineAll' };
    const items = await firstOf(merge, { parameters, inputs: [[{ a: 1 }, { a: 2 }], [{ b: 1 }, { b: 2 }]] });
    expect(items).toEqual([{ a: 1, b: 1 }, { a: 1, b: 2 }, { a: 2, b: 1 }, { a: 2, b: 2 }]);
  });
});

describe('Merge, older versions', () => {
  it('version 2 matches pairs of fields and chooses branches by name', async () => {
    const parameters = { mode: 'combine', mergeByFields: { values: [{ field1: 'k', field2: 'k' }] } };
    expect(await firstOf(mergeV2, { parameters, inputs: [left, right] })).toEqual([{ k: 'b', l: 2, r: 1 }]);
    expect(await firstOf(mergeV2, { parameters: { mode: 'chooseBranch', output: 'input2' }, inputs: [left, right] })).toEqual(right);
  });

  const keys = { propertyName1: 'k', propertyName2: 'k' };
  it.each([
    [{ mode: 'mergeByKey', ...keys }, [{ k: 'a', l: 1 }, { k: 'b', l: 2, r: 1 }]],
    [{ mode: 'keepKeyMatches', ...keys }, [{ k: 'b', l: 2 }]],
    [{ mode: 'removeKeyMatches', ...keys }, [{ k: 'a', l: 1 }]],
    [{ mode: 'mergeByIndex', join: 'inner' }, [{ k: 'b', l: 1, r: 1 }, { k: 'c', l: 2, r: 2 }]],
    [{ mode: 'passThrough', output: 'input2' }, right],
    [{ mode: 'wait' }, [{}]],
  ])('version 1: %j', async (parameters, expected) => {
    expect(await firstOf(mergeV1, { parameters, inputs: [left, right] })).toEqual(expected);
  });

  it('version 1 overwrites only what the author allows', async () => {
    const inputs = [[{ k: 1, a: '', b: 'x' }], [{ k: 1, a: 'A', b: 'B', c: 'C' }]];
    const run = (overwrite: string) => firstOf(mergeV1, { parameters: { mode: 'mergeByKey', ...keys, overwrite }, inputs });
    expect(await run('blank')).toEqual([{ k: 1, a: 'A', b: 'x', c: 'C' }]);
    expect(await run('undefined')).toEqual([{ k: 1, a: '', b: 'x', c: 'C' }]);
    expect(await run('always')).toEqual([{ k: 1, a: 'A', b: 'B', c: 'C' }]);
  });
});
