import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate, PostgresStore } from '@app/store';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { apiUnderTest, chain, passes, work, type ApiUnderTest, type Behavior } from '../testing/api-under-test.ts';

const failsAt =
  (name: string): Behavior =>
  (node, activation) =>
    node.name === name ? { kind: 'failed', error: { message: 'no luck' } } : passes(node, activation);

describe('the API on Postgres', () => {
  let database: TestDatabase;
  let store: PostgresStore;
  let api: ApiUnderTest;
  beforeAll(async () => {
    database = await createDatabase();
    await migrate(database.url, resolve('prisma/migrations'));
    store = new PostgresStore({ databaseUrl: database.url, poolSize: 6 });
    api = await apiUnderTest({ store });
  });
  afterAll(async () => {
    await api.app.close();
    await store.close();
    await database.drop();
  });
  const get = async (path: string) => (await api.request('GET', `/api/v1/${path}`)).body;
  const post = (path: string, body?: unknown, headers?: Record<string, string>) => api.request('POST', `/api/v1/${path}`, body, headers);
  const create = async (document: object = chain()): Promise<string> => (await post('workflows', document)).body.id;
  const start = async (workflow: string): Promise<string> => (await post(`workflows/${workflow}/executions`)).body.id;

  it('gives a document back as it came, key order included', async () => {
    const document = { ...chain(), zebra: { b: 1, a: [null, 'ü\u0000'] }, pinData: { A: [{ json: { 2: 'x', 1: 'y' } }] } };
    const id = await create(document);
    const { zebra, pinData, nodes, connections } = await get(`workflows/${id}`);
    expect(JSON.stringify({ zebra, pinData, nodes, connections })).toBe(
      JSON.stringify({ zebra: document.zebra, pinData: document.pinData, nodes: document.nodes, connections: document.connections }),
    );
  });

  it('starts one execution however many requests with one key arrive at once', async () => {
    const workflow = await create();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(`workflows/${workflow}/executions`, {}, { 'idempotency-key': 'once' })));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ body }) => !body.existing)).toHaveLength(1);
    expect((await get(`executions?workflowId=${workflow}`)).data).toHaveLength(1);
    await post('executions/stop', { status: ['queued', 'running'], workflowId: workflow });
  });

  it('lists newest first, page by page, each execution once', async () => {
    const workflow = await create();
    const ids: string[] = [];
    for (let at = 0; at < 7; at++) ids.push(await start(workflow));
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: any = await get(`executions?workflowId=${workflow}&limit=3${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      seen.push(...page.data.map(({ id }: { id: string }) => id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(ids.toReversed());
    expect((await post('executions/stop', { status: ['queued', 'running', 'waiting'], workflowId: workflow })).body).toEqual({ stopped: 7 });
  });

  it('shows a finished execution in the shape of n8n, and streams it', async () => {
    const id = await start(await create());
    expect(await work(store)).toEqual(['Start', 'A', 'B']);
    const { status, data } = await get(`executions/${id}?includeData=true`);
    expect(status).toBe('success');
    expect(data.resultData.runData.B[0]).toMatchObject({
      executionIndex: 2,
      source: [{ previousNode: 'A', previousNodeOutput: 0, previousNodeRun: 0 }],
      data: { main: [[{ json: { done: true } }]] },
    });
    const { text } = await api.request('GET', `/api/v1/executions/${id}/events`);
    expect(text.match(/event: run/g)).toHaveLength(3);
    expect(text).toContain('event: end');
  });

  it('retries from the node that failed, and notes the success with the original', async () => {
    const id = await start(await create());
    expect(await work(store, failsAt('A'))).toEqual(['Start', 'A']);
    const retried = (await post(`executions/${id}/retry`)).body.id;
    expect(await work(store)).toEqual(['A', 'B']);
    const after = await get(`executions/${retried}?includeData=true`);
    expect(after).toMatchObject({ status: 'success', mode: 'retry', retryOf: id });
    expect(Object.keys(after.data.resultData.runData)).toEqual(['Start', 'A', 'B']);
    expect(after.data.resultData.runData.Start[0].data.main).toEqual([[{ json: { done: true } }]]);
    expect(await get(`executions/${id}`)).toMatchObject({ status: 'error', retrySuccessId: retried });
  });

  it('takes up a canceled execution, and deletes what has ended', async () => {
    const id = await start(await create());
    await work(store, passes, 1);
    expect((await post(`executions/${id}/cancel`)).status).toBe(200);
    const retried = (await post(`executions/${id}/retry`)).body.id;
    expect(await work(store)).toEqual(['A', 'B']);
    for (const ended of [retried, id]) expect((await api.request('DELETE', `/api/v1/executions/${ended}`)).status).toBe(200);
    expect((await api.request('GET', `/api/v1/executions/${retried}`)).status).toBe(404);
  });
});
