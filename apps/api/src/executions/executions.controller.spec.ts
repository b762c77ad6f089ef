import { beforeEach, describe, expect, it } from 'vitest';
import { apiUnderTest, chain, passes, work, type ApiUnderTest, type Behavior } from '../../testing/api-under-test.ts';

const rowFields = ['customData', 'finished', 'id', 'mode', 'retryOf', 'retrySuccessId', 'startedAt', 'status', 'stoppedAt', 'waitTill', 'workflowId', 'workflowVersionId'];
const detailFields = [...rowFields, 'createdAt', 'deduplicationKey', 'deletedAt', 'tracingContext'].sort();

const failsAt =
  (name: string): Behavior =>
  (node, activation) =>
    node.name === name ? { kind: 'failed', error: { message: 'no luck' } } : passes(node, activation);

describe('executions over HTTP', () => {
  let api: ApiUnderTest;
  let workflowId: string;
  beforeEach(async () => {
    api = await apiUnderTest();
    workflowId = (await api.request('POST', '/api/v1/workflows', chain())).body.id;
  });
  const start = async (): Promise<string> => (await api.request('POST', `/api/v1/workflows/${workflowId}/executions`)).body.id;
  const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

  it('lists newest first, page by page, in the shape of a row', async () => {
    const ids = [await start(), await start(), await start()];
    const first = (await api.request('GET', '/api/v1/executions?limit=2')).body;
    const second = (await api.request('GET', `/api/v1/executions?limit=2&cursor=${encodeURIComponent(first.nextCursor)}`)).body;
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids.toReversed());
    expect(second.nextCursor).toBeNull();
    expect(Object.keys(first.data[0]).sort()).toEqual(rowFields);
  });

  it('filters by status under its public name, and by workflow', async () => {
    const succeeded = await start();
    await work(api.store);
    const failed = await start();
    await work(api.store, failsAt('A'));
    const queued = await start();
    const listed = async (query: string) => idsOf((await api.request('GET', `/api/v1/executions?${query}`)).body);
    expect(await listed('status=success')).toEqual([succeeded]);
    expect(await listed('status=error')).toEqual([failed]);
    expect(await listed('status=new')).toEqual([queued]);
    expect(await listed('status=crashed')).toEqual([]);
    expect(await listed('status=unknown')).toEqual([]);
    expect(await listed('workflowId=other')).toEqual([]);
    expect(await listed(`workflowId=${workflowId}`)).toHaveLength(3);
  });

  it.each([
    ['executions?cursor=nonsense'],
    ['executions?cursor=-1'],
    ['executions?limit=1e9'],
    ['executions/1/steps?cursor=99999999999'],
    ['executions/1/steps?limit=1001'],
    ['executions/1/events?after=3000000000'],
    ['executions/%'],
    ['workflows/%E0%A4%A'],
  ])('answers 400 with a problem to %s', async (path) => {
    const { status, headers, body } = await api.request('GET', `/api/v1/${path}`);
    expect({ status, type: String(headers['content-type']) }).toEqual({ status: 400, type: expect.stringContaining('application/problem+json') as string });
    expect(body.message.length).toBeGreaterThan(10);
  });

  it.each(['abc', '-1', '1.5', '99999999999'])('answers 400 to the Last-Event-ID %s', async (lastEventId) => {
    const id = await start();
    expect(await api.request('GET', `/api/v1/executions/${id}/events`, undefined, { 'last-event-id': lastEventId })).toMatchObject({ status: 400, body: { message: expect.stringContaining('Last-Event-ID') } });
  });

  it.each(['99999999999999999999', '9223372036854775807', '0', 'x', '%00'])('has no execution %s', async (id) => {
    for (const [method, path] of [['GET', ''], ['GET', '/steps'], ['GET', '/events'], ['POST', '/stop'], ['POST', '/cancel'], ['POST', '/retry'], ['DELETE', '']] as const) {
      expect((await api.request(method, `/api/v1/executions/${id}${path}`)).status).toBe(404);
    }
  });

  it('cuts what it quotes', async () => {
    const { status, body } = await api.request('GET', `/api/v1/executions?status=${'x'.repeat(5_000)}`);
    expect(status).toBe(400);
    expect(body.detail.length).toBeLessThan(1_100);
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('shows the runs of a node named %s', async (name) => {
    const document = JSON.parse(JSON.stringify(chain()).replaceAll('"A"', JSON.stringify(name)));
    const hostile = (await api.request('POST', '/api/v1/workflows', document)).body.id;
    const { id } = (await api.request('POST', `/api/v1/workflows/${hostile}/executions`)).body;
    expect(await work(api.store)).toEqual(['Start', name, 'B']);
    const { status, body } = await api.request('GET', `/api/v1/executions/${id}?includeData=true`);
    expect(status).toBe(200);
    expect(Object.keys(body.data.resultData.runData)).toEqual(['Start', name, 'B']);
  });

  it('shows one execution with what lists leave out, and with data only when asked', async () => {
    const id = await start();
    await work(api.store);
    const { body } = await api.request('GET', `/api/v1/executions/${id}`);
    expect(Object.keys(body).sort()).toEqual(detailFields);
    expect(body).toMatchObject({ id, finished: true, status: 'success', stoppedAt: expect.any(String) });
  });

  it("tells the run in n8n's form, with the workflow that ran", async () => {
    const id = await start();
    await work(api.store, failsAt('B'));
    const { body } = await api.request('GET', `/api/v1/executions/${id}?includeData=true`);
    expect(body.data).toMatchObject({ version: 1, resultData: { lastNodeExecuted: 'B', error: { message: 'no luck' } } });
    expect(body.data.resultData.runData.A).toEqual([
      expect.objectContaining({
        executionStatus: 'success',
        source: [{ previousNode: 'Start', previousNodeOutput: 0, previousNodeRun: 0 }],
        data: { main: [[{ json: { done: true } }]] },
      }),
    ]);
    expect(body.workflowData).toMatchObject({ id: workflowId, nodes: chain().nodes });
    expect((await api.request('GET', '/api/v1/executions?includeData=true')).body.data[0].data).toEqual(body.data);
    expect((await api.request('GET', `/api/v1/executions/${id}?includeData=true&redactExecutionData=true`)).body.data).toBeUndefined();
  });

  it('says that data are too large instead of sending them', async () => {
    const items = Array.from({ length: 20_000 }, (_, n) => ({ json: { n } }));
    const id = await start();
    await work(api.store, () => ({ kind: 'done', outputs: [{ port: 0, count: items.length, items }], effects: [] }));
    const { body } = await api.request('GET', `/api/v1/executions/${id}?includeData=true`);
    expect(body).toMatchObject({ dataTooLargeToDisplay: true });
    expect(body.data).toBeUndefined();
    expect((await api.request('GET', `/api/v1/executions/${id}?includeData=true&ignoreDataSizeLimit=true`)).body.data.resultData.runData.B).toBeDefined();
  });

  it('stops an open execution, once', async () => {
    const id = await start();
    const { status, body } = await api.request('POST', `/api/v1/executions/${id}/stop`);
    expect(status).toBe(200);
    expect(body).toEqual({ mode: 'manual', startedAt: expect.any(String), stoppedAt: expect.any(String), finished: false, status: 'canceled' });
    expect(await api.request('POST', `/api/v1/executions/${id}/stop`)).toMatchObject({ status: 409, body: { code: 'already_ended' } });
    expect(await work(api.store)).toEqual([]);
  });

  it('cancels as often as asked, but not what has ended otherwise', async () => {
    const id = await start();
    for (let times = 0; times < 2; times++) expect(await api.request('POST', `/api/v1/executions/${id}/cancel`)).toMatchObject({ status: 200, body: { id, status: 'canceled' } });
    const done = await start();
    await work(api.store);
    expect((await api.request('POST', `/api/v1/executions/${done}/cancel`)).status).toBe(409);
  });

  it('stops all that match and says how many', async () => {
    await start();
    await start();
    expect((await api.request('POST', '/api/v1/executions/stop', { status: ['running'] })).body).toEqual({ stopped: 0 });
    expect((await api.request('POST', '/api/v1/executions/stop', { status: ['queued'], workflowId: 'other' })).body).toEqual({ stopped: 0 });
    expect((await api.request('POST', '/api/v1/executions/stop', { status: ['queued', 'running', 'waiting'] })).body).toEqual({ stopped: 2 });
    expect((await api.request('POST', '/api/v1/executions/stop', {})).status).toBe(400);
  });

  it('deletes an execution that has ended, and no other', async () => {
    const id = await start();
    expect((await api.request('DELETE', `/api/v1/executions/${id}`)).status).toBe(409);
    await work(api.store);
    expect((await api.request('DELETE', `/api/v1/executions/${id}`)).body).toMatchObject({ id, status: 'success' });
    expect((await api.request('GET', `/api/v1/executions/${id}`)).status).toBe(404);
  });

  it.each(['0', 'abc', '9223372036854775808', '%00', '-1', '1e3'])('answers 404 for the execution %s', async (id) => {
    expect((await api.request('GET', `/api/v1/executions/${id}`)).status).toBe(404);
  });

  it('lists the steps with what is open, page by page along commits', async () => {
    const id = await start();
    await work(api.store, passes, 2);
    const { body } = await api.request('GET', `/api/v1/executions/${id}/steps`);
    expect(body.data.map((step: object) => step)).toEqual([
      expect.objectContaining({ node: 'Start', runIndex: 0, status: 'success', itemsByOutput: [1], worker: 'worker-1', executionTime: 5 }),
      expect.objectContaining({ node: 'A' }),
    ]);
    expect(body.open).toEqual([expect.objectContaining({ node: 'B', status: 'queued', worker: null })]);
    const first = (await api.request('GET', `/api/v1/executions/${id}/steps?limit=1`)).body;
    const second = (await api.request('GET', `/api/v1/executions/${id}/steps?limit=1&cursor=${first.nextCursor}`)).body;
    expect([first, second].map(({ data }) => data[0].node)).toEqual(['Start', 'A']);
  });
});
