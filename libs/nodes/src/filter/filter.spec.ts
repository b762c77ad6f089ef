import { describe, expect, it } from 'vitest';
import { jsonOf } from '../../testing/run-node.ts';
import { filter } from './filter.ts';

const condition = { leftValue: '={{ $json.v }}', rightValue: 5, operator: { type: 'number', operation: 'gt' } };
const parameters = { conditions: { options: { version: 2 }, conditions: [condition], combinator: 'and' } };

describe('Filter', () => {
  it('keeps items in order and records the others on a second output', async () => {
    const outputs = await jsonOf(filter, { parameters, inputs: [[{ v: 9 }, { v: 1 }, { v: 7 }]] });
    expect(outputs).toEqual([[{ v: 9 }, { v: 7 }], [{ v: 1 }]]);
  });

  it('declares one output', () => {
    expect(filter.description.outputs(2.2, {})).toBe(1);
  });

  it('discards what cannot be compared when it continues on failure', async () => {
    const outputs = await jsonOf(filter, { parameters, inputs: [[{ v: 'x' }, { v: 9 }]], continueOnFail: true });
    expect(outputs).toEqual([[{ v: 9 }], [{ v: 'x' }]]);
    await expect(jsonOf(filter, { parameters, inputs: [[{ v: 'x' }]] })).rejects.toThrow(/Wrong type/);
  });

  it('combines the conditions of version 1 with OR when told', async () => {
    const conditions = { number: [{ value1: '={{ $json.v }}', operation: 'larger', value2: 5 }, { value1: '={{ $json.v }}', operation: 'equal', value2: 1 }] };
    const inputs = [[{ v: 9 }, { v: 1 }, { v: 2 }]];
    expect(await jsonOf(filter, { version: 1, parameters: { conditions }, inputs })).toEqual([[]]);
    expect(await jsonOf(filter, { version: 1, parameters: { conditions, combineConditions: 'OR' }, inputs })).toEqual([[{ v: 9 }, { v: 1 }]]);
  });
});
