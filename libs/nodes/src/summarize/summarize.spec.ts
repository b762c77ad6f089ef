import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@app/engine';
import { firstOf, outputsOf } from '../../testing/run-node.ts';
import { plainName } from './aggregations.ts';
import { summarize } from './summarize.ts';

const inputs = [[{ r: 'N', p: 'x', q: 2, v: 10 }, { r: 'S', p: 'x', q: 1, v: 5 }, { r: 'N', p: 'y', q: 4, v: 20 }, { r: 'N', p: 'x', q: 1, v: null }]];
const of = (aggregation: string, field: string, more: JsonObject = {}): JsonObject => ({ fieldsToSummarize: { values: [{ aggregation, field, ...more }] } });

describe('Summarize', () => {
  it.each([
    [of('append', 'v'), { appended_v: [10, 5, 20] }],
    [of('append', 'v', { includeEmpty: true }), { appended_v: [10, 5, 20, null] }],
    [of('average', 'v'), { average_v: 35 / 3 }],
    [of('min', 'v'), { min_v: 5 }],
    [of('max', 'p'), { max_p: 'y' }],
    [of('count', 'v'), { count_v: 3 }],
    [of('countUnique', 'p'), { unique_count_p: 2 }],
    [of('sum', 'p'), { sum_p: 0 }],
    [of('concatenate', 'p', { separateBy: 'other', customSeparator: '/' }), { concatenated_p: 'x/x/y/x' }],
    [of('sum', 'missing'), { sum_missing: 0 }],
  ])('%j', async (parameters, expected) => {
    expect(await firstOf(summarize, { parameters, inputs })).toEqual([expected]);
  });

  it('makes one item per group, paired with the items of the group', async () => {
    const [items] = await outputsOf(summarize, { parameters: { ...of('sum', 'q'), fieldsToSplitBy: 'r, p' }, inputs });
    expect(items).toEqual([
      { json: { sum_q: 3, r: 'N', p: 'x' }, pairedItem: [{ item: 0 }, { item: 3 }] },
      { json: { sum_q: 4, r: 'N', p: 'y' }, pairedItem: [{ item: 2 }] },
      { json: { sum_q: 1, r: 'S', p: 'x' }, pairedItem: [{ item: 1 }] },
    ]);
  });

  it('nests the groups in a single item when told', async () => {
    const parameters = { ...of('sum', 'q'), fieldsToSplitBy: 'r, p', options: { outputFormat: 'singleItem' } };
    expect(await firstOf(summarize, { parameters, inputs })).toEqual([{ N: { x: { sum_q: 3 }, y: { sum_q: 4 } }, S: { x: { sum_q: 1 } } }]);
  });

  it('nests groups whatever they are called, and reaches no prototype', async () => {
    const rows = ['__proto__', 'constructor', 'toString'].map((r) => ({ r, p: 'polluted', q: 1 }));
    const [json] = (await firstOf(summarize, { parameters: { ...of('sum', 'q'), fieldsToSplitBy: 'r, p', options: { outputFormat: 'singleItem' } }, inputs: [rows] })) as JsonObject[];
    expect(JSON.parse(JSON.stringify(json)) as unknown).toEqual(JSON.parse('{"__proto__":{"polluted":{"sum_q":1}},"constructor":{"polluted":{"sum_q":1}},"toString":{"polluted":{"sum_q":1}}}'));
    expect(({} as JsonObject)['polluted']).toBeUndefined();
    expect((Object as unknown as JsonObject)['polluted']).toBeUndefined();
  });

  it('drops items without group when told', async () => {
    const groups = [[{ g: 'x', v: 1 }, { v: 2 }, { g: '', v: 3 }]];
    const parameters = { ...of('sum', 'v'), fieldsToSplitBy: 'g' };
    expect(await firstOf(summarize, { parameters, inputs: groups })).toHaveLength(3);
    expect(await firstOf(summarize, { parameters: { ...parameters, options: { skipEmptySplitFields: true } }, inputs: groups })).toEqual([{ g: 'x', sum_v: 1 }]);
  });

  it('turns groups into text in version 1, which refuses fields that nobody has', async () => {
    const run = { version: 1, inputs: [[{ g: 1, v: 2 }]] };
    expect(await firstOf(summarize, { ...run, parameters: { ...of('sum', 'v'), fieldsToSplitBy: 'g' } })).toEqual([{ g: '1', sum_v: 2 }]);
    await expect(firstOf(summarize, { ...run, parameters: of('sum', 'nope') })).rejects.toThrow(/does not exist in any items/);
  });
});

it('plainName makes names that can follow a dot', () => {
  expect(['net price', 'x[0]', 'a.b', 'q["k"]'].map(plainName)).toEqual(['net_price', 'x0', 'a_b', 'qk']);
});
