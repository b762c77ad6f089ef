import { describe, expect, it } from 'vitest';
import { apiUnderTest } from '../../testing/api-under-test.ts';
import { isDeeperThan } from './parse-json.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('limits of a request', () => {
  it('refuses a body that is too large, and names the setting', async () => {
    const { request } = await apiUnderTest({ limits: { bodyBytes: 100 } });
    expect(await request('POST', '/api/v1/workflows', { name: 'x'.repeat(200) })).toMatchObject({
      status: 413,
      body: { code: 'body_too_large', suggestion: expect.stringContaining('BODY_LIMIT_BYTES') },
    });
  });

  it('refuses a body that nests too deeply, even one that would exhaust the stack', async () => {
    const { request } = await apiUnderTest({ limits: { depth: 50 } });
    for (const depth of [51, 200_000]) expect(await request('POST', '/api/v1/workflows', nested(depth))).toMatchObject({ status: 400, body: { code: 'body_too_deep' } });
  });

  it.each([['{"a":'], ['{a:1}'], ['[1,]'], ['nul']])('refuses %s, which is not JSON, and stays alive', async (text) => {
    const { request } = await apiUnderTest();
    expect(await request('POST', '/api/v1/workflows', text)).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
    expect((await request('GET', '/healthz')).status).toBe(200);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])('refuses a body of type %s', async (type) => {
    const { request } = await apiUnderTest();
    expect(await request('POST', '/api/v1/workflows', 'a=1', { 'content-type': type })).toMatchObject({
      status: 415,
      body: { suggestion: expect.stringContaining('application/json') },
    });
  });

  it('answers errors as problem+json that also carries a message', async () => {
    const { request } = await apiUnderTest();
    const { headers, body, status } = await request('GET', '/api/v1/workflows/none');
    expect(headers['content-type']).toContain('application/problem+json');
    expect(body).toEqual({
      type: 'urn:argosy:problem:not_found',
      title: 'Not found',
      status,
      code: 'not_found',
      detail: body.message,
      message: expect.stringContaining('none'),
      suggestion: expect.any(String),
    });
  });
});

describe('the depth of JSON text', () => {
  it.each([
    [nested(3), 3, false],
    [nested(4), 3, true],
    ['[["[[[["]]', 3, false],
    ['{"a":{"b":{"c":{}}}}', 3, true],
    ['[[],[],[],[],[]]', 2, false],
    ['["\\"[[[",[]]', 2, false],
  ])('of %s is judged against %i', (text, limit, expected) => {
    expect(isDeeperThan(text, limit)).toBe(expected);
  });
});
