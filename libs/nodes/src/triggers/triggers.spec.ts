import { describe, expect, it } from 'vitest';
import { firstOf } from '../../testing/run-node.ts';
import { executeWorkflowTrigger } from './execute-workflow-trigger.ts';
import { scheduleTrigger, tickItem } from './schedule-trigger.ts';
import { manualTrigger, webhook } from './starts.ts';

describe('triggers', () => {
  it('hand on what the execution was started with', async () => {
    expect(await firstOf(manualTrigger, { inputs: [[{ a: 1 }]] })).toEqual([{ a: 1 }]);
    expect(await firstOf(scheduleTrigger, { inputs: [[{ Hour: '06' }]] })).toEqual([{ Hour: '06' }]);
  });

  it('a schedule makes an item of the present moment in a manual run', async () => {
    const [item] = await firstOf(scheduleTrigger, { mode: 'manual', now: Date.parse('2024-03-01T07:05:09Z'), timezone: 'Europe/Oslo' });
    expect(item).toEqual({
      timestamp: '2024-03-01T08:05:09.000+01:00',
      'Readable date': 'March 1st 2024, 8:05:09 am',
      'Readable time': '8:05:09 am',
      'Day of week': 'Friday',
      Year: '2024',
      Month: 'March',
      'Day of month': '01',
      Hour: '08',
      Minute: '05',
      Second: '09',
      Timezone: 'Europe/Oslo (UTC+01:00)',
    });
  });

  it.each([
    ['2024-01-11', '11th'],
    ['2024-01-22', '22nd'],
    ['2024-01-03', '3rd'],
    ['2024-01-30', '30th'],
  ])('writes the day of %s as %s', (date, day) => {
    expect(tickItem(Date.parse(date), 'UTC').json['Readable date']).toContain(` ${day} `);
  });

  it('a webhook with several methods has an output for each', () => {
    expect(webhook.description.outputs(2, { httpMethod: ['GET', 'POST'] })).toBe(2);
    expect(webhook.description.outputs(2, {})).toBe(1);
  });
});

describe('the trigger of called workflows', () => {
  const inputs = [[{ a: 1, extra: 'x' }]];

  it('passes everything through when told, in version 1, and without declared fields', async () => {
    expect(await firstOf(executeWorkflowTrigger, { parameters: { inputSource: 'passthrough' }, inputs })).toEqual(inputs[0]);
    expect(await firstOf(executeWorkflowTrigger, { version: 1, inputs })).toEqual(inputs[0]);
    expect(await firstOf(executeWorkflowTrigger, { inputs })).toEqual(inputs[0]);
  });

  it('keeps declared fields only; missing ones are null', async () => {
    const declared = { workflowInputs: { values: [{ name: 'a', type: 'number' }, { name: 'b' }] } };
    expect(await firstOf(executeWorkflowTrigger, { parameters: declared, inputs })).toEqual([{ a: 1, b: null }]);
    const example = { inputSource: 'jsonExample', jsonExample: '{ "a": 1, "b": "text" }' };
    expect(await firstOf(executeWorkflowTrigger, { parameters: example, inputs })).toEqual([{ a: 1, b: null }]);
  });
});
