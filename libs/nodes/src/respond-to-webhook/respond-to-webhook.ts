import type { Item, Json, JsonObject } from '@app/engine';
import { describeNode } from '../description.ts';
import { emit } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import type { NodeType } from '../node-type.ts';
import { anything, atLeast, choice, entries, flag, number, settings, text, when } from '../parameters/properties.ts';
import { isList, isRecord } from '../values/guards.ts';

const kinds = ['firstIncomingItem', 'allIncomingItems', 'json', 'jwt', 'text', 'noData', 'redirect', 'binary'];

/** Says how the webhook that started the execution is answered; the items pass through. */
export const respondToWebhook: NodeType = {
  description: describeNode({
    name: 'respondToWebhook',
    displayName: 'Respond to Webhook',
    versions: [1, 1.1, 1.2, 1.3, 1.4, 1.5],
    outputs: (version, parameters) => (version >= 1.3 && parameters['enableResponseOutput'] === true ? 2 : 1),
    properties: [
      flag('enableResponseOutput', false, when({ '@version': [atLeast(1.3)] })),
      choice('respondWith', 'firstIncomingItem', kinds),
      text('redirectURL', '', { ...when({ respondWith: ['redirect'] }), required: true }),
      anything('responseBody', 'json', '', when({ respondWith: ['json', 'text'] })),
      settings([
        number('responseCode', 200),
        entries('responseHeaders', 'entries', [text('name'), text('value')]),
        text('responseKey'),
        flag('enableStreaming', true),
      ]),
    ],
  }),
  run: (context) => {
    context.signal.throwIfAborted();
    const items = context.items();
    const response = responseFor(context, items);
    const second = context.parameter('enableResponseOutput', 0, false) === true;
    return second ? emit(items, [{ json: { response }, pairedItem: { item: 0 } }]) : emit(items);
  },
};

function responseFor(context: NodeContext, items: readonly Item[]): JsonObject {
  const kind = context.parameter<string>('respondWith', 0, 'firstIncomingItem');
  const isRedirect = kind === 'redirect';
  const statusCode = Number(context.parameter('options.responseCode', 0, isRedirect ? 307 : 200));
  const given = context.parameter<Json>('options.responseHeaders.entries', 0, []);
  const headers = Object.fromEntries(
    (isList(given) ? given.filter(isRecord) : []).map((each) => [String(each['name'] ?? '').toLowerCase(), String(each['value'] ?? '')]),
  );
  if (isRedirect) headers['location'] = String(context.parameter('redirectURL', 0, ''));
  return { body: bodyFor(context, kind, items), headers, statusCode };
}

function bodyFor(context: NodeContext, kind: string, items: readonly Item[]): Json {
  if (kind === 'json') return parsedBody(context.parameter<Json>('responseBody', 0, {}));
  if (kind === 'text') return String(context.parameter('responseBody', 0, ''));
  if (kind === 'firstIncomingItem') return items[0]?.json ?? {};
  return kind === 'allIncomingItems' ? items.map((item) => item.json) : undefined;
}

function parsedBody(given: Json): Json {
  if (isRecord(given) || isList(given)) return given;
  try {
    return JSON.parse(String(given)) as Json;
  } catch (cause) {
    throw new NodeError("Invalid JSON in 'Response Body' field", {
      retryable: false,
      cause,
      description: 'Check that the syntax of the JSON is correct, expressions filled in.',
    });
  }
}
