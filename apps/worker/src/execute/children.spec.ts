import { describe, expect, it } from 'vitest';
import { link, step, type JsonObject } from '@app/engine';
import { n8n } from '@app/dialects';
import { MemoryDispatch } from '@app/dispatch';
import { catalogue } from '@app/nodes';
import { MemoryStore } from '@app/store';
import { SilentTelemetry } from '@app/telemetry';
import { createKit } from '../create-kit.ts';
import { runActivation } from '../run-activation.ts';

const LEASE_MS = 15_000;
const WORKFLOW = 'bomb';

/** Calls itself twice. */
function bomb(options: JsonObject): JsonObject {
  const call = (name: string) => ({ id: name, name, type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1, position: [200, 0], parameters: { source: 'database', workflowId: WORKFLOW, options } });
  return {
    name: 'Bomb',
    nodes: [{ id: '1', name: 'Called', type: 'n8n-nodes-base.executeWorkflowTrigger', typeVersion: 1, position: [0, 0], parameters: {} }, call('One'), call('Two')],
    connections: { Called: { main: [[{ node: 'One', type: 'main', index: 0 }, { node: 'Two', type: 'main', index: 0 }]] } },
  };
}

async function explode(options: JsonObject, maxFamily: number) {
  const nodes = catalogue();
  const store = new MemoryStore(() => Date.now());
  const document = bomb(options);
  const program = n8n.compile(document, { nodes }).program!;
  const { versionId } = await store.saveWorkflow({ id: WORKFLOW, name: 'Bomb', document, version: { dialect: 'n8n', program } });
  const kit = createKit({ workerId: 'w', store, dispatch: new MemoryDispatch(), nodes, telemetry: new SilentTelemetry(), guestSource: '', report: () => {}, settings: { maxFamily } });
  const startItems = [{ node: 0, items: [{ json: {} }] }];
  const input = { scope: '', node: 0, seq: 0, port: -1, count: 1 };
  const { id } = await store.createExecution({ workflowId: WORKFLOW, versionId, mode: 'trigger', startItems, timeoutMs: null, options: {} }, (snapshot, now) => step(link(program), snapshot, { kind: 'execution-started', starts: [{ node: 0, input }] }, now));
  for (let claimed = await store.claimReady(['default'], 10, 'w', LEASE_MS); claimed.length > 0; claimed = await store.claimReady(['default'], 10, 'w', LEASE_MS)) {
    await Promise.all(claimed.map((activation) => runActivation(activation, kit)));
    await store.cancelOrphans(100);
  }
  kit.sandbox.dispose();
  const { rows } = await store.listExecutions({ limit: 1_000 });
  return { id, executions: rows };
}

describe('a workflow that calls itself without end', () => {
  it.each([true, false])('is stopped when its family is as large as allowed, waiting for what it calls: %s', async (waitForSubWorkflow) => {
    const { id, executions } = await explode({ waitForSubWorkflow }, 50);
    expect(executions).toHaveLength(51);
    expect(executions.filter(({ status }) => status === 'running' || status === 'waiting' || status === 'queued')).toEqual([]);
    const refused = executions.filter(({ error }) => error?.code === 'call_refused');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]!.error!.message).toContain(`Execution ${id} and what it called have started 50 executions, which is the most that is allowed.`);
  });
});
