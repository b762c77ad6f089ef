import { getGlobalDispatcher, MockAgent, setGlobalDispatcher, type Dispatcher } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@app/engine';
import { nodeContext, type TestRun } from '../../testing/node-context.ts';
import { firstOf, outputsOf } from '../../testing/run-node.ts';
import { readPath } from '../values/path.ts';
import { httpRequestLegacy } from './http-request-legacy.ts';
import { httpRequest } from './http-request.ts';

const origin = 'http://shop.test';
const json = { headers: { 'content-type': 'application/json' } };
let usual: Dispatcher;
let agent: MockAgent;

beforeEach(() => {
  usual = getGlobalDispatcher();
  agent = new MockAgent();
  agent.disableNetConnect();
  setGlobalDispatcher(agent);
});
afterEach(async () => {
  setGlobalDispatcher(usual);
  await agent.close();
});

/** Answers every request to `path` with what it consisted of. */
function echo(path: string, method = 'GET'): void {
  agent
    .get(origin)
    .intercept({ path, method })
    .reply(200, (request) => ({ path: request.path, body: String(request.body ?? ''), headers: request.headers as JsonObject }), json)
    .persist();
}

const asking = (parameters: JsonObject, run: TestRun = {}) => firstOf(httpRequest, { version: 4.2, parameters, ...run });

describe('HTTP Request', () => {
  it('gives up an answer that is larger than a worker can hold', async () => {
    agent.get(origin).intercept({ path: '/endless' }).reply(200, Buffer.alloc(65 * 1_048_576));
    agent.get(origin).intercept({ path: '/large' }).reply(200, Buffer.alloc(1_048_576, 'x'), { headers: { 'content-type': 'text/plain' } });
    await expect(asking({ url: `${origin}/endless` })).rejects.toMatchObject({ code: 'answer_too_large', retryable: false, message: 'The answer of shop.test is larger than 64 MiB.' });
    expect(await asking({ url: `${origin}/large` })).toEqual([{ data: 'x'.repeat(1_048_576) }]);
  });

  it('sends a request per item and gives the answers in the order of the items', async () => {
    const pool = agent.get(origin);
    pool.intercept({ path: '/1' }).reply(200, { n: 1 }, json).delay(30);
    pool.intercept({ path: '/2' }).reply(200, [{ n: 2 }, { n: 3 }], json);
    const [items] = await outputsOf(httpRequest, { parameters: { url: '={{ $json.url }}' }, inputs: [[{ url: `${origin}/1` }, { url: `${origin}/2` }]] });
    expect(items).toEqual([
      { json: { n: 1 }, pairedItem: { item: 0 } },
      { json: { n: 2 }, pairedItem: { item: 1 } },
      { json: { n: 3 }, pairedItem: { item: 1 } },
    ]);
  });

  it('sends query, headers and a JSON body', async () => {
    echo('/p?q=x', 'POST');
    const [answer] = await asking({
      method: 'POST',
      url: `${origin}/p`,
      sendQuery: true,
      queryParameters: { parameters: [{ name: 'q', value: '={{ $json.q }}' }] },
      sendHeaders: true,
      specifyHeaders: 'json',
      jsonHeaders: '{ "X-N": 5 }',
      sendBody: true,
      bodyParameters: { parameters: [{ name: 'a', value: '1' }] },
    }, { inputs: [[{ q: 'x' }]] });
    expect(answer).toMatchObject({ path: '/p?q=x', body: '{"a":"1"}', headers: { 'x-n': '5', 'content-type': 'application/json' } });
  });

  it('fails with the meaning of the status, or shows message, code and status in an error item', async () => {
    agent.get(origin).intercept({ path: '/gone' }).reply(404, { message: 'no' }, json).persist();
    await expect(asking({ url: `${origin}/gone` })).rejects.toMatchObject({ message: expect.stringContaining('could not be found') as unknown, code: 'http_request_failed' });
    const [items] = await outputsOf(httpRequest, { parameters: { url: `${origin}/gone` }, continueOnFail: true });
    expect(items).toEqual([
      { json: { error: { message: '404 - "{\\"message\\":\\"no\\"}"', name: 'AxiosError', code: 'ERR_BAD_REQUEST', status: 404 } }, pairedItem: { item: 0 } },
    ]);
    expect(await asking({ url: `${origin}/gone`, options: { response: { response: { neverError: true } } } })).toEqual([{ message: 'no' }]);
  });

  it('follows redirects, keeps the method for 307 and leaves secrets behind at another origin', async () => {
    agent.get(origin).intercept({ path: '/old', method: 'POST' }).reply(307, '', { headers: { location: 'http://other.test/new' } }).persist();
    agent
      .get('http://other.test')
      .intercept({ path: '/new', method: 'POST' })
      .reply(200, (request) => ({ sent: request.body as string, secret: (request.headers as JsonObject)['authorization'] ?? null }), json);
    const parameters = {
      method: 'POST',
      url: `${origin}/old`,
      authentication: 'genericCredentialType',
      genericAuthType: 'httpBearerAuth',
      sendBody: true,
      specifyBody: 'json',
      jsonBody: '{"a":1}',
    };
    const credentials = { httpBearerAuth: { token: 't' } };
    expect(await asking(parameters, { credentials })).toEqual([{ sent: '{"a":1}', secret: null }]);
    const stay = { ...parameters, options: { redirect: { redirect: { followRedirects: false } } } };
    await expect(asking(stay, { credentials })).rejects.toThrow('307');
  });

  it.each([
    ['httpBasicAuth', { user: 'ann', password: 'secret' }, '/p', { authorization: 'Basic YW5uOnNlY3JldA==' }],
    ['httpHeaderAuth', { name: 'X-Key', value: 'k' }, '/p', { 'x-key': 'k' }],
    ['httpQueryAuth', { name: 'key', value: 'k' }, '/p?key=k', {}],
    ['httpCustomAuth', { json: '{"headers":{"X-A":"b"},"qs":{"c":"d"}}' }, '/p?c=d', { 'x-a': 'b' }],
  ])('authenticates with %s', async (type, secret, path, headers) => {
    echo(path);
    const [answer] = await asking({ url: `${origin}/p`, authentication: 'genericCredentialType', genericAuthType: type }, { credentials: { [type]: secret } });
    expect(answer).toMatchObject({ path, headers });
  });

  it('fails without its credential', async () => {
    await expect(asking({ url: origin, authentication: 'genericCredentialType', genericAuthType: 'httpBasicAuth' })).rejects.toThrow(/Credentials not found/);
    await expect(asking({ url: origin, authentication: 'predefinedCredentialType' })).rejects.toThrow(/not supported/);
  });

  it('gives up after its time-out, and stops at once when the activation is canceled', async () => {
    agent.get(origin).intercept({ path: '/slow' }).reply(200, {}, json).delay(5_000).persist();
    await expect(asking({ url: `${origin}/slow`, options: { timeout: 30 } })).rejects.toMatchObject({ shown: { code: 'ECONNABORTED' } });
    const canceled = new Error('canceled by the test');
    const controller = new AbortController();
    setTimeout(() => controller.abort(canceled), 20);
    await expect(asking({ url: `${origin}/slow` }, { signal: controller.signal, continueOnFail: true })).rejects.toBe(canceled);
  });
});

describe('HTTP Request, pagination', () => {
  const evaluate = (expression: string, _: number, __: unknown, variables: JsonObject = {}): Json => {
    if (expression === '={{ more }}') return readPath(variables, '$response.body.next') === null;
    const path = /^=\{\{ ([$\w.]+) \}\}$/.exec(expression)?.[1] ?? '';
    return readPath(variables, path);
  };
  const paged = (pagination: JsonObject, path: string): JsonObject => ({ url: `${origin}${path}`, options: { pagination: { pagination } } });

  it('follows the next URL until the condition holds', async () => {
    const pool = agent.get(origin);
    pool.intercept({ path: '/l' }).reply(200, { n: 1, next: '/l?at=2' }, json);
    pool.intercept({ path: '/l?at=2' }).reply(200, { n: 2, next: null }, json);
    const pagination = { paginationMode: 'responseContainsNextURL', nextURL: '={{ $response.body.next }}', paginationCompleteWhen: 'other', completeExpression: '={{ more }}' };
    expect(await asking(paged(pagination, '/l'), { evaluate })).toMatchObject([{ n: 1 }, { n: 2 }]);
  });

  it('counts pages in a parameter until an answer is empty', async () => {
    const pool = agent.get(origin);
    [[{ n: 1 }], [{ n: 2 }], []].forEach((page, index) => pool.intercept({ path: `/l?page=${index}` }).reply(200, page, json));
    const pagination = { parameters: { parameters: [{ name: 'page', value: '={{ $pageCount }}' }] } };
    expect(await asking(paged(pagination, '/l'), { evaluate })).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('stops at its page limit and at a final status', async () => {
    agent.get(origin).intercept({ path: '/l' }).reply(200, { ok: 1 }, json).times(2);
    expect(await asking(paged({ limitPagesFetched: true, maxRequests: 2 }, '/l'), { evaluate })).toHaveLength(2);
    agent.get(origin).intercept({ path: '/e' }).reply(404, { end: true }, json);
    const pagination = { paginationCompleteWhen: 'receiveSpecificStatusCodes', statusCodesWhenComplete: '404, 410' };
    expect(await asking(paged(pagination, '/e'), { evaluate })).toEqual([{ end: true }]);
  });
});

describe('HTTP Request, versions 1 and 2', () => {
  it('reads pairs, or JSON texts with jsonParameters', async () => {
    echo('/p?a=1', 'POST');
    const pairs = { requestMethod: 'POST', url: `${origin}/p`, queryParametersUi: { parameter: [{ name: 'a', value: '1' }] }, bodyParametersUi: { parameter: [{ name: 'b', value: 'c' }] } };
    expect(await firstOf(httpRequestLegacy, { version: 2, parameters: pairs })).toMatchObject([{ path: '/p?a=1', body: '{"b":"c"}' }]);
    const texts = { requestMethod: 'POST', url: `${origin}/p`, jsonParameters: true, queryParametersJson: '{"a": 1}', bodyParametersJson: '{"b": "c"}' };
    expect(await firstOf(httpRequestLegacy, { version: 1, parameters: texts })).toMatchObject([{ path: '/p?a=1', body: '{"b":"c"}' }]);
  });

  it('refuses JSON texts that are no objects', async () => {
    const run = httpRequestLegacy.run(nodeContext(httpRequestLegacy, { parameters: { url: origin, jsonParameters: true, queryParametersJson: '[1]' } }));
    await expect(run).rejects.toThrow(/queryParametersJson is not a JSON object/);
  });
});
