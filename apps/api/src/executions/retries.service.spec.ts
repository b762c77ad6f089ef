import { beforeEach, describe, expect, it } from 'vitest';
import { apiUnderTest, chain, passes, work, type ApiUnderTest, type Behavior } from '../../testing/api-under-test.ts';

const failsAt =
  (...names: string[]): Behavior =>
  (node, activation) =>
    names.includes(node.name) ? { kind: 'failed', error: { message: 'no luck' } } : passes(node, activation);

/** Start → A, B → Merge (both inputs). */
function diamond(scheduling: string) {
  const plain = chain('diamond');
  const [start, a, b] = plain.nodes;
  const target = (name: string, index = 0) => ({ node: name, type: 'main', index });
  return {
    ...plain,
    nodes: [start, a, { ...b!, position: [0, 100] }, { ...a!, id: 'm', name: 'Merge', type: 'n8n-nodes-base.merge', typeVersion: 3, position: [100, 0] }],
    connections: { Start: { main: [[target('A'), target('B')]] }, A: { main: [[target('Merge', 0)]] }, B: { main: [[target('Merge', 1)]] } },
    settings: { executionOrder: 'v1', branchScheduling: scheduling },
  };
}

describe('retrying', () => {
  let api: ApiUnderTest;
  beforeEach(async () => {
    api = await apiUnderTest();
  });
  async function failed(document: object, behavior: Behavior): Promise<{ workflowId: string; id: string }> {
    const workflowId = (await api.request('POST', '/api/v1/workflows', document)).body.id;
    const { id } = (await api.request('POST', `/api/v1/workflows/${workflowId}/executions`, { items: [{ json: { given: 1 } }] })).body;
    await work(api.store, behavior);
    return { workflowId, id };
  }
  const retry = (id: string, body?: object) => api.request('POST', `/api/v1/executions/${id}/retry`, body);
  const detail = async (id: string) => (await api.request('GET', `/api/v1/executions/${id}?includeData=true`)).body;

  it('runs the failed node and what follows, keeps the history before it, and names its origin', async () => {
    const { id } = await failed(chain(), failsAt('A'));
    const { status, body } = await retry(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ mode: 'retry', retryOf: id, finished: false });
    expect(body.id).not.toBe(id);
    expect(await work(api.store)).toEqual(['A', 'B']);
    const after = await detail(body.id);
    expect(after.status).toBe('success');
    expect(Object.entries(after.data.resultData.runData).map(([name, runs]) => [name, (runs as unknown[]).length])).toEqual([
      ['Start', 1],
      ['A', 1],
      ['B', 1],
    ]);
    expect(after.data.resultData.runData.Start[0].data).toEqual({ main: [[{ json: { done: true } }]] });
    expect((await detail(id)).status).toBe('error');
  });

  it('gives the failed node the input it had', async () => {
    const { id } = await failed(chain(), failsAt('Start'));
    const retried = (await retry(id)).body.id;
    const [activation] = await api.store.claimReady(['default'], 1, 'w', 1_000);
    expect(await api.store.loadItems(retried, [activation!.inputs[0]!.ref!])).toEqual([[{ json: { given: 1 } }]]);
  });

  it('goes on with what was queued behind the failed node, and joins with what had arrived', async () => {
    const { id } = await failed(diamond('serial'), failsAt('A'));
    await retry(id);
    expect(await work(api.store)).toEqual(['A', 'B', 'Merge']);
  });

  it('repeats all nodes that failed side by side', async () => {
    const { id } = await failed(diamond('parallel'), failsAt('A', 'B'));
    await retry(id);
    expect((await work(api.store)).sort()).toEqual(['A', 'B', 'Merge']);
  });

  it('may be retried again when it fails again', async () => {
    const { id } = await failed(diamond('serial'), failsAt('B'));
    const second = (await retry(id)).body.id;
    expect(await work(api.store, failsAt('Merge'))).toEqual(['B', 'Merge']);
    const third = (await retry(second)).body.id;
    expect(await work(api.store)).toEqual(['Merge']);
    const { data, status } = await detail(third);
    expect(status).toBe('success');
    expect(data.resultData.runData.A[0].data.main).toEqual([[{ json: { done: true } }]]);
  });

  it('uses the newest version when asked, and the one that failed otherwise', async () => {
    const { id, workflowId } = await failed(chain(), failsAt('B'));
    const newest = (await api.request('PUT', `/api/v1/workflows/${workflowId}`, chain())).body.versionId;
    expect((await retry(id)).body.workflowVersionId).not.toBe(newest);
    expect((await retry(id, { loadWorkflow: true })).body.workflowVersionId).toBe(newest);
    expect(await work(api.store)).toEqual(['B', 'B']);
  });

  it('begins anew where the newest version has another graph', async () => {
    const { id, workflowId } = await failed(chain(), failsAt('B'));
    const { nodes, connections, ...rest } = chain();
    await api.request('PUT', `/api/v1/workflows/${workflowId}`, { ...rest, nodes: nodes.slice(0, 2), connections: { Start: connections.Start } });
    await retry(id, { loadWorkflow: true });
    expect(await work(api.store)).toEqual(['Start', 'A']);
  });

  it('takes up a canceled execution where it was', async () => {
    const workflowId = (await api.request('POST', '/api/v1/workflows', chain())).body.id;
    const { id } = (await api.request('POST', `/api/v1/workflows/${workflowId}/executions`)).body;
    await work(api.store, passes, 1);
    await api.request('POST', `/api/v1/executions/${id}/cancel`);
    await retry(id);
    expect(await work(api.store)).toEqual(['A', 'B']);
  });

  it('refuses what succeeded or still runs', async () => {
    const { id } = await failed(chain(), passes);
    expect(await retry(id)).toMatchObject({ status: 409, body: { code: 'not_retryable' } });
    expect((await retry('123')).status).toBe(404);
  });
});
