import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@app/engine';
import { firstOf, outputsOf } from '../../testing/run-node.ts';
import { aggregate } from './aggregate.ts';

const fields = (...names: (string | JsonObject)[]): JsonObject => ({
  fieldsToAggregate: { fieldToAggregate: names.map((name) => (typeof name === 'string' ? { fieldToAggregate: name } : name)) },
});
const inputs = [[{ id: 1, l: [1] }, { id: 2, l: [2, 3] }, { id: null }]];

describe('Aggregate', () => {
  it('collects fields into lists and drops missing values', async () => {
    expect(await firstOf(aggregate, { parameters: fields('id', 'l'), inputs })).toEqual([{ id: [1, 2], l: [[1], [2, 3]] }]);
    expect(await firstOf(aggregate, { parameters: { ...fields('id'), options: { keepMissing: true } }, inputs })).toEqual([{ id: [1, 2, null] }]);
    expect(await firstOf(aggregate, { parameters: { ...fields('l'), options: { mergeLists: true } }, inputs })).toEqual([{ l: [1, 2, 3] }]);
  });

  it('names the result after the last part of a path, or as told', async () => {
    const run = { inputs: [[{ u: { n: 1 } }]] };
    expect(await firstOf(aggregate, { ...run, parameters: fields('u.n') })).toEqual([{ n: [1] }]);
    const renamed = fields({ fieldToAggregate: 'u.n', renameField: true, outputFieldName: 'all' });
    expect(await firstOf(aggregate, { ...run, parameters: renamed })).toEqual([{ all: [1] }]);
  });

  it('refuses to write one field twice', async () => {
    await expect(firstOf(aggregate, { parameters: fields('id', 'o.id'), inputs })).rejects.toThrow(/used more than once/);
  });

  it('pairs its item with all it is made of', async () => {
    const [items] = await outputsOf(aggregate, { parameters: fields('id'), inputs });
    expect(items?.[0]?.pairedItem).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
  });

  it('collects whole items, all fields or some', async () => {
    const whole = { aggregate: 'aggregateAllItemData' };
    const two = [[{ a: 1, b: 2 }, { b: 3 }]];
    expect(await firstOf(aggregate, { parameters: whole, inputs: two })).toEqual([{ data: [{ a: 1, b: 2 }, { b: 3 }] }]);
    const some = { ...whole, include: 'specifiedFields', fieldsToInclude: 'a', destinationFieldName: 'rows' };
    expect(await firstOf(aggregate, { parameters: some, inputs: two })).toEqual([{ rows: [{ a: 1 }] }]);
  });

  it('gathers files under free names', async () => {
    const file = (data: string) => ({ mimeType: 'text/plain', data });
    const files = [[{ json: {}, binary: { f: file('eA==') } }, { json: {}, binary: { f: file('eQ==') } }, { json: {}, binary: { f: file('eA==') } }]];
    const parameters = { aggregate: 'aggregateAllItemData', options: { includeBinaries: true, keepOnlyUnique: true } };
    const [items] = await outputsOf(aggregate, { parameters, inputs: files });
    expect(items?.[0]?.binary).toEqual({ f: file('eA=='), f_1: file('eQ==') });
  });
});
