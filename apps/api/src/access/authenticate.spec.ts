import { describe, expect, it } from 'vitest';
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
