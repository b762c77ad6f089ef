import { beforeEach, describe, expect, it } from 'vitest';
import { apiUnderTest, chain, work, type ApiUnderTest } from '../../testing/api-under-test.ts';

describe('starting executions over HTTP', () => {
  let api: ApiUnderTest;
  let id: string;
  beforeEach(async () => {
    api = await apiUnderTest({ limits: { items: 3 } });
    id = (await api.request('POST', '/api/v1/workflows', chain())).body.id;
  });
  const start = (body?: unknown, headers?: { [name: string]: string }) => api.request('POST', `/api/v1/workflows/${id}/executions`, body, headers);
  const execution = async (executionId: string) => (await api.request('GET', `/api/v1/executions/${executionId}?includeData=true`)).body;

  it('answers 202 with an id of digits once the execution is stored and announced', async () => {
    const { status, body } = await start();
    expect(status).toBe(202);
    expect(body).toEqual({ id: expect.stringMatching(/^\d+$/), existing: false });
    expect(await execution(body.id)).toMatchObject({ status: 'new', mode: 'manual', finished: false });
    expect(await api.dispatch.depth('default')).toBe(1);
  });

  it('hands the items to the start node', async () => {
    const { body } = await start({ items: [{ json: { a: 1 } }, { json: { a: 2 } }] });
    const [activation] = await api.store.claimReady(['default'], 1, 'w', 1_000);
    expect(await api.store.loadItems(body.id, [activation!.inputs[0]!.ref!])).toEqual([[{ json: { a: 1 } }, { json: { a: 2 } }]]);
  });

  it('runs the newest version by hand, and the published one in production', async () => {
    const first = (await api.request('POST', `/api/v1/workflows/${id}/publish`)).body.versionId;
    const draft = (await api.request('PUT', `/api/v1/workflows/${id}?publishIfActive=false`, chain())).body.versionId;
    const versionOf = async (mode: string) => (await execution((await start({ mode })).body.id)).workflowVersionId;
    expect([await versionOf('manual'), await versionOf('trigger'), await versionOf('webhook')]).toEqual([draft, first, first]);
  });

  it('refuses a production start of a workflow that is not published, and says what to do', async () => {
    expect(await start({ mode: 'trigger' })).toMatchObject({ status: 409, body: { code: 'not_published', suggestion: expect.stringContaining('/publish') } });
  });

  it('starts one execution per idempotency key, in the header or in the body', async () => {
    const first = (await start(undefined, { 'idempotency-key': 'k1' })).body;
    expect((await start({ idempotencyKey: 'k1' })).body).toEqual({ id: first.id, existing: true });
    expect((await start({ idempotencyKey: 'k2' })).body.id).not.toBe(first.id);
    expect((await api.request('GET', '/api/v1/executions')).body.data).toHaveLength(2);
    expect((await execution(first.id)).deduplicationKey).toBe('k1');
  });

  it.each([
    ['items', { items: [{ json: { a: 2 } }] }],
    ['more items', { items: [{ json: { a: 1 } }, { json: {} }] }],
    ['no items', {}],
    ['mode', { items: [{ json: { a: 1 } }], mode: 'trigger' }],
    ['node', { items: [{ json: { a: 1 } }], node: 'A' }],
    ['destination', { items: [{ json: { a: 1 } }], destination: 'A' }],
  ])('refuses a key that was used with other contents: %s', async (_, body) => {
    await api.request('POST', `/api/v1/workflows/${id}/publish`);
    const same = { items: [{ json: { a: 1 } }], idempotencyKey: 'used' };
    const first = (await start(same)).body;
    expect(await start({ ...body, idempotencyKey: 'used' })).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused', message: expect.stringContaining(first.id) } });
    expect((await start(same)).body).toEqual({ id: first.id, existing: true });
    await work(api.store);
    expect((await start(same)).body).toEqual({ id: first.id, existing: true });
  });

  it('knows a key again after the workflow was saved anew', async () => {
    const first = (await start({ idempotencyKey: 'k' })).body;
    await api.request('PUT', `/api/v1/workflows/${id}`, chain());
    expect((await start({ idempotencyKey: 'k' })).body).toEqual({ id: first.id, existing: true });
  });

  it('refuses two different keys in one request', async () => {
    expect(await start({ idempotencyKey: 'a' }, { 'idempotency-key': 'b' })).toMatchObject({ status: 400, body: { code: 'two_idempotency_keys' } });
  });

  it('becomes part of the trace of the request, and ignores a trace that is none', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect((await execution((await start({}, { traceparent })).body.id)).tracingContext).toEqual({ traceparent });
    expect((await execution((await start({}, { traceparent: 'nonsense' })).body.id)).tracingContext).toBeNull();
  });

  it('runs only up to the destination', async () => {
    const { body } = await start({ destination: 'A' });
    expect(await work(api.store)).toEqual(['Start', 'A']);
    expect((await execution(body.id)).data.startData).toEqual({ destinationNode: { nodeName: 'A', mode: 'inclusive' } });
  });

  it('starts at a named node, and refuses one that is not there', async () => {
    await start({ node: 'B' });
    expect(await work(api.store)).toEqual(['B']);
    expect(await start({ node: 'Nowhere' })).toMatchObject({ status: 400, body: { code: 'unknown_start' } });
    expect(await start({ destination: 'Nowhere' })).toMatchObject({ status: 400, body: { code: 'unknown_destination' } });
  });

  it('notes the scheduling it was asked for with the execution', async () => {
    const { body } = await start({ scheduling: 'serial' });
    expect((await api.store.findExecution(body.id))!.options).toMatchObject({ scheduling: 'serial' });
  });

  it('refuses more items than it takes, and says how many that is', async () => {
    const answer = await start({ items: Array.from({ length: 4 }, () => ({ json: {} })) });
    expect(answer).toMatchObject({ status: 413, body: { code: 'too_many_items', path: '$.items', message: expect.stringContaining('3') } });
  });

  it.each([
    [{ items: [{ a: 1 }] }],
    [{ items: [1] }],
    [{ items: {} }],
    [{ items: [{ json: [] }] }],
    [{ mode: 'sideways' }],
    [{ node: '' }],
    [{ destinationNode: 'A' }],
    [{ idempotencyKey: 'x'.repeat(256) }],
    ['[1]'],
    ['7'],
  ])('refuses the start %j', async (body) => {
    expect((await start(body)).status).toBe(400);
  });

  it('does not start an archived or a missing workflow', async () => {
    await api.request('POST', `/api/v1/workflows/${id}/archive`);
    expect(await start()).toMatchObject({ status: 409, body: { code: 'archived' } });
    expect((await api.request('POST', '/api/v1/workflows/none/executions')).status).toBe(404);
  });

  it('accepts an execution that cannot run, which then has failed before its first node', async () => {
    const document = chain();
    document.nodes[1] = { ...document.nodes[1]!, type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 };
    const broken = (await api.request('POST', '/api/v1/workflows', document)).body.id;
    const { status, body } = await api.request('POST', `/api/v1/workflows/${broken}/executions`);
    expect(status).toBe(202);
    expect(await execution(body.id)).toMatchObject({ status: 'error', data: { resultData: { runData: {}, error: { message: expect.stringContaining('A') } } } });
  });
});
