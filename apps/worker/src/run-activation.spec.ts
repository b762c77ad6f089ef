import { describe, expect, it } from 'vitest';
import { link, step, type Item, type JsonObject } from '@app/engine';
import { n8n } from '@app/dialects';
import { MemoryDispatch } from '@app/dispatch';
import { catalogue, NodeCatalogue, type NodeType } from '@app/nodes';
import { MemoryStore } from '@app/store';
import { SilentTelemetry } from '@app/telemetry';
import { createKit } from './create-kit.ts';
import { runActivation } from './run-activation.ts';

const LEASE_MS = 15_000;

/** A node type like any other, except that nobody can write down what it gives. */
function unwritableNode(ran: { times: number }): NodeType {
  const { description } = catalogue().get('n8n-nodes-base.noOp', 1);
  return {
    description: { ...description, type: 'test.unwritable' },
    run: () => {
      ran.times += 1;
      return { kind: 'items', outputs: [[{ json: { n: 1n } } as unknown as Item]] };
    },
  };
}

async function run(settings: JsonObject) {
  const ran = { times: 0 };
  const nodes = new NodeCatalogue([...catalogue().all(), unwritableNode(ran)]);
  const store = new MemoryStore(() => Date.now());
  const document = {
    name: 'wf',
    nodes: [
      { id: '1', name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} },
      { id: '2', name: 'Unwritable', type: 'test.unwritable', typeVersion: 1, position: [200, 0], parameters: {}, ...settings },
      { id: '3', name: 'After', type: 'n8n-nodes-base.noOp', typeVersion: 1, position: [400, 0], parameters: {} },
    ],
    connections: { Start: { main: [[{ node: 'Unwritable', type: 'main', index: 0 }]] }, Unwritable: { main: [[{ node: 'After', type: 'main', index: 0 }]] } },
  };
  const { program } = n8n.compile(document, { nodes });
  const { id: workflowId, versionId } = await store.saveWorkflow({ name: 'wf', document, version: { dialect: 'n8n', program: program! } });
  const kit = createKit({ workerId: 'w', store, dispatch: new MemoryDispatch(), nodes, telemetry: new SilentTelemetry(), guestSource: '', report: () => {} });
  const { id } = await store.createExecution({ workflowId, versionId, mode: 'manual', startItems: [], timeoutMs: null, options: {} }, (snapshot, now) => step(link(program!), snapshot, { kind: 'execution-started', starts: [{ node: 0, input: null }] }, now));
  for (let claimed = await store.claimReady(['default'], 10, 'w', LEASE_MS); claimed.length > 0; claimed = await store.claimReady(['default'], 10, 'w', LEASE_MS)) {
    for (const activation of claimed) await runActivation(activation, kit);
  }
  kit.sandbox.dispose();
  return { times: ran.times, execution: (await store.findExecution(id))!, runs: (await store.listRuns(id, -1, 10)).map(({ node, status }) => `${program!.nodes[node]!.name} ${status}`) };
}

describe('a node whose result cannot be stored', () => {
  it('fails at once, with a sentence that says so, and does not run again', async () => {
    const { times, execution, runs } = await run({ retryOnFail: true, maxTries: 3, waitBetweenTries: 0 });
    expect(times).toBe(1);
    expect(runs).toEqual(['Start done', 'Unwritable failed']);
    expect(execution).toMatchObject({ status: 'failed', cause: 'node-failed', error: { node: 'Unwritable', code: 'unwritable_result', message: expect.stringContaining('cannot be stored') as string } });
  });

  it('is passed over where the node is to continue on errors', async () => {
    const { execution, runs } = await run({ onError: 'continueRegularOutput' });
    expect(runs).toEqual(['Start done', 'Unwritable failed', 'After done']);
    expect(execution.status).toBe('succeeded');
  });
});
