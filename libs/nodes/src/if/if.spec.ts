import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@app/engine';
import { jsonOf, outputsOf } from '../../testing/run-node.ts';
import { ifNode } from './if.ts';

const block = (conditions: JsonObject[], options: JsonObject = {}, combinator = 'and'): JsonObject => ({
  conditions: { options: { typeValidation: 'strict', version: 2, ...options }, conditions, combinator },
});
const above5 = { leftValue: '={{ $json.v }}', rightValue: 5, operator: { type: 'number', operation: 'gt' } };
const isX = { leftValue: '={{ $json.t }}', rightValue: 'x', operator: { type: 'string', operation: 'equals' } };

describe('If', () => {
  it('sends items to the first output when they meet the conditions, else to the second', async () => {
    const outputs = await jsonOf(ifNode, { parameters: block([above5]), inputs: [[{ v: 9 }, { v: 1 }, { v: null }, {}]] });
    expect(outputs).toEqual([[{ v: 9 }], [{ v: 1 }, { v: null }, {}]]);
  });

  it('keeps the pairing with the input', async () => {
    const [yes, no] = await outputsOf(ifNode, { parameters: block([above5]), inputs: [[{ v: 1 }, { v: 9 }]] });
    expect(yes).toMatchObject([{ pairedItem: { item: 1 } }]);
    expect(no).toMatchObject([{ pairedItem: { item: 0 } }]);
  });

  it('needs all conditions with "and", one with "or"', async () => {
    const inputs = [[{ v: 9, t: 'x' }, { v: 9, t: 'y' }, { v: 1, t: 'y' }]];
    expect((await jsonOf(ifNode, { parameters: block([above5, isX]), inputs }))[0]).toHaveLength(1);
    expect((await jsonOf(ifNode, { parameters: block([above5, isX], {}, 'or'), inputs }))[0]).toHaveLength(2);
  });

  it('is true without conditions for "and" and false for "or"', async () => {
    expect((await jsonOf(ifNode, { parameters: block([]) }))[0]).toHaveLength(1);
    expect((await jsonOf(ifNode, { parameters: block([], {}, 'or') }))[0]).toHaveLength(0);
  });

  it('fails on a wrong type when strict and names the place', async () => {
    const run = { parameters: block([above5]), inputs: [[{ v: 9 }, { v: '9' }]] };
    await expect(outputsOf(ifNode, run)).rejects.toThrow(/Wrong type: '9' is a string .* \[condition 0, item 1\]/);
  });

  it('sends items that cannot be compared to the second output when it continues on failure', async () => {
    const outputs = await jsonOf(ifNode, { parameters: block([above5]), inputs: [[{ v: '9' }]], continueOnFail: true });
    expect(outputs).toEqual([[], [{ v: '9' }]]);
  });

  it('converts when loose, and fails where it cannot', async () => {
    const parameters = block([above5], { typeValidation: 'loose' });
    expect((await jsonOf(ifNode, { parameters, inputs: [[{ v: '9' }]] }))[0]).toHaveLength(1);
    await expect(jsonOf(ifNode, { parameters, inputs: [[{ v: 'ten' }]] })).rejects.toThrow(/can't be converted to a number/);
  });

  it('does not read the right side of operators that have none', async () => {
    const exists = { leftValue: '={{ $json.v }}', rightValue: '', operator: { type: 'number', operation: 'exists', singleValue: true } };
    expect((await jsonOf(ifNode, { parameters: block([exists]), inputs: [[{ v: 0 }]] }))[0]).toEqual([{ v: 0 }]);
  });

  it('reads a block without version as version 1, where truthiness decides about loose booleans', async () => {
    const isTrue = { leftValue: '={{ $json.v }}', operator: { type: 'boolean', operation: 'true', singleValue: true } };
    const inputs = [[{ v: 'false' }]];
    const first = { conditions: { options: { typeValidation: 'loose' }, conditions: [isTrue], combinator: 'and' } };
    expect((await jsonOf(ifNode, { parameters: first, inputs }))[0]).toHaveLength(1);
    expect((await jsonOf(ifNode, { parameters: block([isTrue], { typeValidation: 'loose' }), inputs }))[0]).toHaveLength(0);
  });
});

describe('If, version 1', () => {
  const inputs = [[{ n: 1, s: 'a' }, { n: 9, s: 'b' }]];

  it('combines conditions of several kinds', async () => {
    const conditions = { number: [{ value1: '={{ $json.n }}', operation: 'larger', value2: 5 }], string: [{ value1: '={{ $json.s }}', value2: 'a' }] };
    expect((await jsonOf(ifNode, { version: 1, parameters: { conditions }, inputs }))[0]).toEqual([]);
    const any = await jsonOf(ifNode, { version: 1, parameters: { conditions, combineOperation: 'any' }, inputs });
    expect(any[0]).toHaveLength(2);
  });

  it('compares dates and refuses what is none', async () => {
    const conditions = { dateTime: [{ value1: '={{ $json.d }}', operation: 'after', value2: '2024-01-01' }] };
    const run = { version: 1, parameters: { conditions } };
    expect((await jsonOf(ifNode, { ...run, inputs: [[{ d: '2024-01-05' }]] }))[0]).toHaveLength(1);
    await expect(jsonOf(ifNode, { ...run, inputs: [[{ d: 'soon' }]] })).rejects.toThrow(/not a date/);
  });
});
