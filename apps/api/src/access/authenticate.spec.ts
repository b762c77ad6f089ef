import { describe, expect, it } from 'vitest';
import { MemoryStore, mintApiKey, StoreUnavailable } from '@app/store';
import { apiUnderTest } from '../../testing/api-under-test.ts';

const anExecution = '/api/v1/executions';

describe('who may use the API', () => {
  it('asks for a key when there is one, and takes it in either header', async () => {
    const { request } = await apiUnderTest({ keys: ['secret-1', 'secret-2'] });
    expect(await request('GET', anExecution)).toMatchObject({ status: 401, body: { code: 'key_missing', message: expect.stringContaining('X-N8N-API-KEY') } });
    expect((await request('GET', anExecution, undefined, { 'x-n8n-api-key': 'secret-3' })).body.code).toBe('key_unknown');
    expect((await request('GET', anExecution, undefined, { 'x-n8n-api-key': 'secret-1' })).status).toBe(200);
    expect((await request('GET', anExecution, undefined, { authorization: 'Bearer secret-2' })).status).toBe(200);
    expect((await request('GET', anExecution, undefined, { authorization: 'Basic secret-2' })).status).toBe(401);
  });

  it('takes a stored key in either header until it is revoked', async () => {
    const { store, request } = await apiUnderTest();
    const [good, revoked] = [mintApiKey(), mintApiKey()];
    await store.apiKeys.create({ name: 'good', hash: good.hash, prefix: good.prefix });
    await store.apiKeys.revoke((await store.apiKeys.create({ name: 'revoked', hash: revoked.hash, prefix: revoked.prefix })).id);
    const withKey = (key: string) => request('GET', anExecution, undefined, { 'x-n8n-api-key': key });
    expect((await withKey(good.key)).status).toBe(200);
    expect((await request('GET', anExecution, undefined, { authorization: `Bearer ${good.key}` })).status).toBe(200);
    const refused = [
      [revoked.key, 'key_revoked'],
      [mintApiKey().key, 'key_unknown'],
      [good.hash, 'key_unknown'],
      [good.prefix, 'key_unknown'],
    ] as const;
    for (const [key, code] of refused) {
      const { status, headers, body, text } = await withKey(key);
      expect({ status, ...body }).toMatchObject({ status: 401, code, title: 'Not authenticated', message: expect.any(String), suggestion: expect.any(String) });
      expect(headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(text).not.toContain(key);
    }
    expect((await request('GET', anExecution)).body.code).toBe('key_missing');
  });

  it('takes the key of the environment beside stored ones', async () => {
    const { store, request } = await apiUnderTest({ keys: ['secret'] });
    const { key, hash, prefix } = mintApiKey();
    await store.apiKeys.create({ name: 'stored', hash, prefix });
    for (const sent of [key, 'secret']) expect((await request('GET', anExecution, undefined, { 'x-n8n-api-key': sent })).status).toBe(200);
  });

  it('lets nobody in on a guess while the database is away', async () => {
    const store = new MemoryStore(Date.now);
    const away = () => Promise.reject(new StoreUnavailable('look up an API key', new Error('connect ECONNREFUSED')));
    Object.assign(store, { apiKeys: { create: away, findByHash: away, list: away, revoke: away } });
    for (const api of [await apiUnderTest({ store }), await apiUnderTest({ store, keys: ['secret'] })]) {
      const { status, body } = await api.request('GET', anExecution, undefined, { 'x-n8n-api-key': mintApiKey().key });
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'store_unavailable' });
    }
  });

  it.each(['/%61pi/v1/executions', '/api/v1/nowhere', '/api/v1/executions?x=/healthz', '/'])('guards %s as well', async (url) => {
    const { request } = await apiUnderTest({ keys: ['secret'] });
    expect((await request('GET', url)).status).toBe(401);
  });

  it.each(['/healthz', '/livez', '/readyz', '/healthz/readiness', '/metrics', '/api/v1/openapi.json'])('answers %s without a key', async (url) => {
    const { request } = await apiUnderTest({ keys: ['secret'] });
    expect((await request('GET', url)).status).toBe(200);
  });

  it('refuses before it reads the body', async () => {
    const { request } = await apiUnderTest({ keys: ['secret'], limits: { bodyBytes: 10 } });
    expect((await request('POST', '/api/v1/workflows', 'x'.repeat(1_000))).status).toBe(401);
  });

  it('is open without keys, but only to requests for the local host', async () => {
    const { request } = await apiUnderTest();
    for (const host of ['localhost:5678', '127.0.0.1', '[::1]:5678']) expect((await request('GET', anExecution, undefined, { host })).status, host).toBe(200);
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example'])
      expect((await request('GET', anExecution, undefined, { host })).body.code, host).toBe('foreign_host');
  });
});
