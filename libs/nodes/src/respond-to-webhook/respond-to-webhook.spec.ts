import { describe, expect, it } from 'vitest';
import { jsonOf } from '../../testing/run-node.ts';
import { respondToWebhook } from './respond-to-webhook.ts';

const inputs = [[{ n: 1 }, { n: 2 }]];

describe('Respond to Webhook', () => {
  it('passes its input through', async () => {
    expect(await jsonOf(respondToWebhook, { inputs })).toEqual(inputs);
  });

  it.each([
    [{ respondWith: 'json', responseBody: '{ "ok": true }' }, { body: { ok: true }, headers: {}, statusCode: 200 }],
    [{ respondWith: 'allIncomingItems' }, { body: inputs[0], headers: {}, statusCode: 200 }],
    [{}, { body: { n: 1 }, headers: {}, statusCode: 200 }],
    [{ respondWith: 'redirect', redirectURL: 'https://a.test/' }, { headers: { location: 'https://a.test/' }, statusCode: 307 }],
    [
      { respondWith: 'text', responseBody: 'hi', options: { responseCode: 201, responseHeaders: { entries: [{ name: 'X-A', value: 'b' }] } } },
      { body: 'hi', headers: { 'x-a': 'b' }, statusCode: 201 },
    ],
  ])('shows the answer on a second output when told: %j', async (more, response) => {
    const parameters = { enableResponseOutput: true, ...more };
    expect(respondToWebhook.description.outputs(1.4, parameters)).toBe(2);
    expect((await jsonOf(respondToWebhook, { parameters, inputs }))[1]).toEqual([{ response }]);
  });

  it('refuses broken JSON', async () => {
    await expect(jsonOf(respondToWebhook, { parameters: { respondWith: 'json', responseBody: '{ nope' } })).rejects.toThrow(/Invalid JSON/);
  });
});
