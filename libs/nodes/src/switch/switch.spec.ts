import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@app/engine';
import { jsonOf, outputsOf } from '../../testing/run-node.ts';
import { switchLegacy } from './switch-legacy.ts';
import { switchNode } from './switch.ts';

const above = (bound: number): JsonObject => ({
  conditions: {
    options: { version: 2 },
    conditions: [{ leftValue: '={{ $json.v }}', rightValue: bound, operator: { type: 'number', operation: 'gt' } }],
    combinator: 'and',
  },
});
const rules = { values: [above(100), above(10)] };
const inputs = [[{ v: 150 }, { v: 15 }, { v: 1 }]];

describe('Switch', () => {
  it('sends an item to the first rule it meets and drops it when there is none', async () => {
    expect(await jsonOf(switchNode, { parameters: { rules }, inputs })).toEqual([[{ v: 150 }], [{ v: 15 }]]);
  });

  it('sends an item to every rule it meets when told', async () => {
    const outputs = await jsonOf(switchNode, { parameters: { rules, options: { allMatchingOutputs: true } }, inputs });
    expect(outputs).toEqual([[{ v: 150 }], [{ v: 150 }, { v: 15 }]]);
  });

  it('adds a last output for the rest, or sends the rest to a rule', async () => {
    const extra = { rules, options: { fallbackOutput: 'extra' } };
    expect((await jsonOf(switchNode, { parameters: extra, inputs }))[2]).toEqual([{ v: 1 }]);
    expect(switchNode.description.outputs(3.2, extra)).toBe(3);
    expect((await jsonOf(switchNode, { parameters: { rules, options: { fallbackOutput: 0 } }, inputs }))[0]).toEqual([{ v: 150 }, { v: 1 }]);
  });

  it('takes the output from an expression, as number or text', async () => {
    const parameters = { mode: 'expression', numberOutputs: 2, output: '={{ $json.v }}' };
    expect(await jsonOf(switchNode, { parameters, inputs: [[{ v: '1' }, { v: 0 }]] })).toEqual([[{ v: 0 }], [{ v: '1' }]]);
    await expect(jsonOf(switchNode, { parameters, inputs: [[{ v: 2 }]] })).rejects.toThrow(/output 2 does not exist/);
  });

  it('puts an unpaired error item on the first output when it continues on failure', async () => {
    const [first] = await outputsOf(switchNode, { parameters: { rules }, inputs: [[{ v: 'x' }]], continueOnFail: true });
    expect(first).toEqual([{ json: { error: expect.stringContaining('Wrong type') as unknown } }]);
  });
});

describe('Switch, versions 1 and 2', () => {
  const text = { dataType: 'string', value1: '={{ $json.v }}' };

  it('lets each rule of version 1 name one of four outputs', async () => {
    const parameters = { ...text, rules: { rules: [{ value2: 'red', output: 3 }] }, fallbackOutput: 0 };
    expect(await jsonOf(switchLegacy, { version: 1, parameters, inputs: [[{ v: 'red' }, { v: 'grey' }]] })).toEqual([[{ v: 'grey' }], [], [], [{ v: 'red' }]]);
  });

  it('has one output per rule in version 2 and drops the rest by default', async () => {
    const parameters = { ...text, rules: { rules: [{ value2: 'a' }, { operation: 'contains', value2: 'b' }] } };
    expect(await jsonOf(switchLegacy, { version: 2, parameters, inputs: [[{ v: 'a' }, { v: 'abc' }, { v: 'z' }]] })).toEqual([[{ v: 'a' }], [{ v: 'abc' }]]);
  });
});
