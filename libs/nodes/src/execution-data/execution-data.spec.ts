import { expect, it } from 'vitest';
import { nodeContext } from '../../testing/node-context.ts';
import { executionData } from './execution-data.ts';

it('Execution Data saves values of every item, cut to their limits, and passes the items through', async () => {
  const parameters = { dataToSave: { values: [{ key: 'order', value: '={{ $json.id }}' }, { key: 'k'.repeat(60), value: 'v'.repeat(600) }] } };
  const context = nodeContext(executionData, { parameters, inputs: [[{ id: 7 }, { id: 8 }]] });
  expect(await executionData.run(context)).toMatchObject({ outputs: [[{ json: { id: 7 } }, { json: { id: 8 } }]] });
  expect(context.customData).toEqual({ order: '8', [`${'k'.repeat(50)}`]: 'v'.repeat(512) });
});
