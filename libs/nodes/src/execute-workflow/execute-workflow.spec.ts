import { describe, expect, it } from 'vitest';
import type { Item, JsonObject } from '@app/engine';
import { nodeContext, type TestRun } from '../../testing/node-context.ts';
import { outputsOf } from '../../testing/run-node.ts';
import type { ChildEnd } from '../node-result.ts';
import { executeWorkflow } from './execute-workflow.ts';

const inputs = [[{ a: 1 }, { a: 2 }]];
const start = (parameters: JsonObject, run: TestRun = {}) => executeWorkflow.run(nodeContext(executeWorkflow, { inputs, ...run, parameters }));
const ended = (...outputs: (Item[] | null)[]): ChildEnd => ({ executionId: 'e2', workflowId: 'w2', status: 'success', outputs });
const failed: ChildEnd = { executionId: 'e2', workflowId: 'w2', status: 'error', outputs: [], error: { message: 'child refused' } };

describe('Execute Workflow, the call', () => {
  it('calls once with all items, or once per item', () => {
    expect(start({ workflowId: 'w2' }, { version: 1 })).toMatchObject({ kind: 'call', wait: true, calls: [{ workflow: { id: 'w2' }, items: [{}, {}] }] });
    expect(start({ workflowId: { __rl: true, mode: 'list', value: 'w3' }, mode: 'each' })).toMatchObject({
      calls: [{ workflow: { id: 'w3' }, items: [{ json: { a: 1 } }] }, { items: [{ json: { a: 2 } }] }],
    });
  });

  it('does not wait when told', () => {
    expect(start({ workflowId: 'w2', options: { waitForSubWorkflow: false } })).toMatchObject({ wait: false });
  });

  it('takes a document as JSON', () => {
    expect(start({ source: 'parameter', workflowJson: '{"nodes": []}' })).toMatchObject({ calls: [{ workflow: { document: { nodes: [] } } }] });
    expect(() => start({ source: 'parameter', workflowJson: '{ "nodes": [ ' })).toThrow(/cannot be read/);
    expect(() => start({ source: 'parameter', workflowJson: '5' })).toThrow(/not an object/);
  });

  it('passes the inputs defined on the node instead of the item', () => {
    const workflowInputs = { mappingMode: 'defineBelow', value: { x: '={{ $json.a }}' } };
    expect(start({ workflowId: 'w2', workflowInputs })).toMatchObject({ calls: [{ items: [{ json: { x: 1 } }, { json: { x: 2 } }] }] });
  });

  it('refuses a missing workflow and a source it cannot reach', () => {
    expect(() => start({ workflowId: '' })).toThrow(/No workflow is chosen/);
    expect(() => start({ source: 'url' })).toThrow(/not supported/);
  });
});

describe('Execute Workflow, the result', () => {
  it('puts out what the child ended with, output by output', async () => {
    const child = ended([{ json: { big: 1 }, pairedItem: { item: 1 } }], null, [{ json: { untraced: 1 } }]);
    expect(await outputsOf(executeWorkflow, { inputs, children: [child] })).toEqual([
      [{ json: { big: 1 }, pairedItem: { item: 1 } }],
      [],
      [{ json: { untraced: 1 }, pairedItem: [{ item: 0 }, { item: 1 }] }],
    ]);
  });

  it('fails with the message of the child, or makes it an error item', async () => {
    await expect(outputsOf(executeWorkflow, { inputs, children: [failed] })).rejects.toThrow('child refused');
    const [items] = await outputsOf(executeWorkflow, { inputs, children: [failed], continueOnFail: true });
    expect(items).toEqual([{ json: { error: 'child refused' }, pairedItem: [{ item: 0 }, { item: 1 }] }]);
  });

  it('joins the results of one child per item and pairs them with it', async () => {
    const children = [ended([{ json: { r: 1 } }]), ended([{ json: { r: 2 } }, { json: { r: 3 } }])];
    const [items] = await outputsOf(executeWorkflow, { inputs, parameters: { mode: 'each' }, children });
    expect(items?.map((item) => item.pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 1 }]);
  });

  it('puts the error of the child of an item on the output with the index of the item', async () => {
    const run = { inputs, parameters: { mode: 'each' }, children: [ended([{ json: { r: 1 } }]), failed], continueOnFail: true };
    expect(await outputsOf(executeWorkflow, run)).toMatchObject([[{ json: { r: 1 } }], [{ json: { error: 'child refused' } }]]);
  });
});
