import { link, step, type Outcome } from '@app/engine';
import { buildProgram } from '@app/engine/testing/build-program.ts';
import { expect, it } from 'vitest';
import { MemoryStore } from './memory-store.ts';

it('leaves an activation that waits for what it called alone when a signal of its key had come before', async () => {
  const store = new MemoryStore(() => 1_000);
  const program = link(buildProgram({ nodes: [{ name: 'Agent' }, { name: 'Tool' }], edges: ['Tool ~> Agent'] }));
  const { id } = await store.createExecution({ workflowId: 'wf', versionId: 'v', mode: 'trigger', startItems: [], timeoutMs: null, options: {} }, (snapshot, now) => step(program, snapshot, { kind: 'execution-started', starts: [{ node: 0, input: null }] }, now));
  await store.signal(id, 'call', null);
  const [agent] = await store.claimReady(['default'], 1, 'w', 100);
  const outcome: Outcome = { kind: 'suspended', suspension: { key: 'call', wait: 'children', until: null, resume: 'reenter', children: 1 }, effects: [{ kind: 'invoke', node: 1, arguments: null }] };
  const { ready } = await store.commit(agent!, (snapshot, now) => step(program, snapshot, { kind: 'activation-settled', activation: agent!, outcome }, now), { continueHere: false, worker: 'w', leaseMs: 100, startedAt: 1_000, finishedAt: 1_000 });
  expect(ready.map((activation) => activation.id)).toEqual([`${id}_0.0.0_1_0`]);
  expect((await store.listOpenActivations(id)).map(({ node, status }) => `${node} ${status}`)).toEqual(['0 waiting', '1 ready']);
});
