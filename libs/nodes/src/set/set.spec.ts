import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@app/engine';
import { firstOf, outputsOf } from '../../testing/run-node.ts';
import { setLegacy } from './set-legacy.ts';
import { set } from './set.ts';

const assign = (name: string, value: Json, type = 'string'): JsonObject => ({ name, value, type });
const manual = (assignments: JsonObject[], more: JsonObject = {}): JsonObject => ({ assignments: { assignments }, ...more });
const ada = { id: 7, name: 'Ada', address: { city: 'Oslo', zip: '0150' } };

describe('Set, assigned fields', () => {
  it('keeps the assigned fields alone unless others are included', async () => {
    const assignments = [assign('x', '={{ $json.id }}', 'number')];
    expect(await firstOf(set, { parameters: manual(assignments), inputs: [[ada]] })).toEqual([{ x: 7 }]);
    const others = manual(assignments, { includeOtherFields: true });
    expect(await firstOf(set, { parameters: others, inputs: [[ada]] })).toEqual([{ ...ada, x: 7 }]);
  });

  it('includes selected fields under the last part of their path', async () => {
    const parameters = manual([], { includeOtherFields: true, include: 'selected', includeFields: 'id, address.city' });
    expect(await firstOf(set, { parameters, inputs: [[ada]] })).toEqual([{ id: 7, city: 'Oslo' }]);
  });

  it('leaves out excepted fields, nested ones too', async () => {
    const parameters = manual([], { includeOtherFields: true, include: 'except', excludeFields: 'name, address.zip' });
    expect(await firstOf(set, { parameters, inputs: [[ada]] })).toEqual([{ id: 7, address: { city: 'Oslo' } }]);
  });

  it('reads dots in names as paths, or literally when told', async () => {
    const assignments = [assign('address.street', 'Main')];
    const kept = await firstOf(set, { parameters: manual(assignments, { includeOtherFields: true }), inputs: [[ada]] });
    expect(kept).toEqual([{ ...ada, address: { ...ada.address, street: 'Main' } }]);
    const literal = manual(assignments, { options: { dotNotation: false } });
    expect(await firstOf(set, { parameters: literal, inputs: [[ada]] })).toEqual([{ 'address.street': 'Main' }]);
  });

  it('does not change an object that another field shares', async () => {
    const assignments = [assign('copy', '={{ $json.address }}', 'object'), assign('copy.city', 'Rome')];
    const parameters = manual(assignments, { includeOtherFields: true });
    const [item] = await firstOf(set, { parameters, inputs: [[ada]] });
    expect(item).toMatchObject({ address: { city: 'Oslo' }, copy: { city: 'Rome' } });
  });

  it.each([
    ['number', '1.50', 1.5],
    ['boolean', 'FALSE', false],
    ['array', '[1]', [1]],
    ['object', '{"a": 1}', { a: 1 }],
    ['string', 5, '5'],
    ['number', null, null],
  ])('converts to %s: %j', async (type, value, expected) => {
    expect(await firstOf(set, { parameters: manual([assign('x', '={{ $json.v }}', type)]), inputs: [[{ v: value }]] })).toEqual([{ x: expected }]);
  });

  it('names field, type, value and item when it cannot convert', async () => {
    const run = { parameters: manual([assign('n', '={{ $json.v }}', 'number')]), inputs: [[{ v: 1 }, { v: 'x' }]] };
    await expect(outputsOf(set, run)).rejects.toThrow(`'n' expects a number but we got 'x' [item 1]`);
  });

  it('keeps the value as it is when conversion errors are ignored', async () => {
    const parameters = manual([assign('n', 'x', 'number')], { options: { ignoreConversionErrors: true } });
    expect(await firstOf(set, { parameters })).toEqual([{ n: 'x' }]);
  });

  it('puts an error item in the place of a failed item when it continues on failure', async () => {
    const [items] = await outputsOf(set, {
      parameters: manual([assign('n', '={{ $json.v }}', 'number')]),
      inputs: [[{ v: 'x' }, { v: 2 }]],
      continueOnFail: true,
    });
    expect(items).toEqual([
      { json: { error: expect.stringContaining('expects a number') as unknown }, pairedItem: { item: 0 } },
      { json: { n: 2 }, pairedItem: { item: 1 } },
    ]);
  });

  it('keeps files only together with other fields', async () => {
    const file = { mimeType: 'text/plain', data: 'eA==' };
    const inputs = [[{ json: {}, binary: { f: file } }]];
    const [kept] = await outputsOf(set, { parameters: manual([], { includeOtherFields: true }), inputs });
    expect(kept?.[0]?.binary).toEqual({ f: file });
    const [stripped] = await outputsOf(set, { parameters: manual([]), inputs });
    expect(stripped?.[0]?.binary).toBeUndefined();
    const [told] = await outputsOf(set, { parameters: manual([], { includeOtherFields: true, options: { stripBinary: true } }), inputs });
    expect(told?.[0]?.binary).toBeUndefined();
  });

  it('repeats items in manual executions only', async () => {
    const parameters = manual([assign('x', 'y')], { duplicateItem: true, duplicateCount: 2 });
    expect(await firstOf(set, { parameters, mode: 'manual' })).toHaveLength(3);
    expect(await firstOf(set, { parameters })).toHaveLength(1);
  });

  it('reads the field list of versions before 3.3, which include all fields by default', async () => {
    const parameters = { fields: { values: [{ name: 'l', type: 'arrayValue', arrayValue: '[1]' }, { name: 's', stringValue: 'x' }] } };
    expect(await firstOf(set, { version: 3.2, parameters, inputs: [[{ a: 1 }]] })).toEqual([{ a: 1, l: [1], s: 'x' }]);
  });
});

describe('Set, raw JSON', () => {
  const raw = (jsonOutput: string, more: JsonObject = {}): JsonObject => ({ mode: 'raw', jsonOutput, ...more });

  it('puts out the object that the text spells, lenient about its notation', async () => {
    expect(await firstOf(set, { parameters: raw('{"a": 1}') })).toEqual([{ a: 1 }]);
    expect(await firstOf(set, { parameters: raw(`{a: 'x',}`) })).toEqual([{ a: 'x' }]);
  });

  it('inserts values as JSON, for every item', async () => {
    const parameters = raw('={ "who": "{{ $json.n }}", "at": {{ $json.o }} }');
    const inputs = [[{ n: 'Ada', o: { c: 1 } }, { n: 'Bo', o: [2] }]];
    expect(await firstOf(set, { parameters, inputs })).toEqual([{ who: 'Ada', at: { c: 1 } }, { who: 'Bo', at: [2] }]);
  });

  it('takes an expression that gives the object itself', async () => {
    expect(await firstOf(set, { parameters: raw('={{ $json.o }}'), inputs: [[{ o: { c: 1 } }]] })).toEqual([{ c: 1 }]);
  });

  it.each(['[1]', '5', '{ nope'])('refuses %s', async (text) => {
    await expect(firstOf(set, { parameters: raw(text) })).rejects.toThrow(/does not contain a valid JSON object/);
  });

  it('continues with an error item when told', async () => {
    const [item] = await firstOf(set, { parameters: raw('nope'), continueOnFail: true });
    expect(item).toHaveProperty('error');
  });

  it('merges the object over included fields', async () => {
    const parameters = raw('{"name": "raw"}', { includeOtherFields: true });
    expect(await firstOf(set, { parameters, inputs: [[{ id: 1, name: 'x' }]] })).toEqual([{ id: 1, name: 'raw' }]);
  });
});

describe('Set, versions 1 and 2', () => {
  const values = { string: [{ name: 'x', value: 's' }], number: [{ name: 'x', value: 1 }, { name: 'n', value: '={{ $json.t }}' }] };

  it('lets texts win over numbers over booleans, and makes numbers from text in version 2', async () => {
    const run = { parameters: { values, keepOnlySet: true }, inputs: [[{ t: '12.5' }]] };
    expect(await firstOf(setLegacy, { ...run, version: 2 })).toEqual([{ x: 's', n: 12.5 }]);
    expect(await firstOf(setLegacy, { ...run, version: 1 })).toEqual([{ x: 's', n: '12.5' }]);
  });

  it('makes one item out of none', async () => {
    expect(await firstOf(setLegacy, { version: 2, parameters: { values: { string: [{ name: 'a', value: 'b' }] } }, inputs: [[]] })).toEqual([{ a: 'b' }]);
  });
});
