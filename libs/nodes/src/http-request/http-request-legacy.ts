import type { Item, Json, JsonObject } from '@app/engine';
import { describeNode } from '../description.ts';
import { emit } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import type { NodeType } from '../node-type.ts';
import { anything, choice, entries, flag, number, settings, text, when } from '../parameters/properties.ts';
import { lenientJson, textOf } from '../values/convert.ts';
import { isList, isRecord } from '../values/guards.ts';
import { requestAll, timeoutMs } from './http-request.ts';
import type { Body, QueryArrays, RequestPlan } from './request-plan.ts';

const pair = [text('name'), text('value')];
const withBody = ['DELETE', 'PATCH', 'POST', 'PUT'];

/** The first two versions: parameters as pairs or, with `jsonParameters`, as JSON texts. */
export const httpRequestLegacy: NodeType = {
  description: describeNode({
    name: 'httpRequest',
    displayName: 'HTTP Request',
    versions: [1, 2],
    properties: [
      choice('authentication', 'none', ['none', 'genericCredentialType', 'predefinedCredentialType']),
      text('genericAuthType', '', when({ authentication: ['genericCredentialType'] })),
      choice('requestMethod', 'GET', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']),
      { ...text('url'), required: true },
      flag('allowUnauthorizedCerts', false),
      choice('responseFormat', 'json', ['file', 'json', 'string']),
      text('dataPropertyName', 'data', when({ responseFormat: ['file', 'string'] })),
      flag('jsonParameters', false),
      entries('queryParametersUi', 'parameter', pair, when({ jsonParameters: [false] })),
      entries('headerParametersUi', 'parameter', pair, when({ jsonParameters: [false] })),
      entries('bodyParametersUi', 'parameter', pair, when({ jsonParameters: [false], requestMethod: withBody })),
      anything('queryParametersJson', 'json', '', when({ jsonParameters: [true] })),
      anything('headerParametersJson', 'json', '', when({ jsonParameters: [true] })),
      anything('bodyParametersJson', 'json', '', when({ jsonParameters: [true], requestMethod: withBody })),
      settings([
        choice('bodyContentType', 'json', ['json', 'raw', 'form-urlencoded', 'multipart-form-data']),
        text('bodyContentCustomMimeType'),
        flag('fullResponse', false),
        flag('followRedirect', true),
        flag('ignoreResponseCode', false),
        choice('queryParameterArrays', 'brackets', ['brackets', 'indices', 'repeat']),
        flag('splitIntoItems', false),
        number('timeout', 10_000),
      ]),
    ],
  }),
  run: async (context) =>
    emit(
      await requestAll(context, {
        plan,
        answer: (_, index) => ({
          format: formatOf(context.parameter('responseFormat', index, 'json')),
          full: context.parameter('options.fullResponse', index, false) === true,
          propertyName: context.parameter<string>('dataPropertyName', index, 'data'),
        }),
        send: (_, index) => ({
          timeoutMs: timeoutMs(context, index),
          maxRedirects: context.parameter('options.followRedirect', index, true) === false ? 0 : 21,
          acceptsStatus: () => context.parameter('options.ignoreResponseCode', index, false) === true,
          signal: context.signal,
          itemIndex: index,
        }),
      }),
    ),
};

const formatOf = (given: Json): 'json' | 'text' | 'file' => (given === 'string' ? 'text' : given === 'file' ? 'file' : 'json');

function plan(context: NodeContext, _: Item, index: number): RequestPlan {
  const headers = section(context, 'header', index);
  return {
    method: context.parameter<string>('requestMethod', index, 'GET'),
    url: String(context.parameter('url', index, '')).trim(),
    query: section(context, 'query', index),
    queryArrays: context.parameter<QueryArrays>('options.queryParameterArrays', index, 'repeat'),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), textOf(value)])),
    body: bodyOf(context, index),
  };
}

function section(context: NodeContext, part: 'query' | 'header' | 'body', index: number): JsonObject {
  if (context.parameter('jsonParameters', index, false) === true) return recordIn(context, part, index);
  const pairs = context.parameter<Json>(`${part}ParametersUi.parameter`, index, []);
  return Object.fromEntries((isList(pairs) ? pairs.filter(isRecord) : []).map((each) => [String(each['name'] ?? ''), each['value'] ?? '']));
}

function recordIn(context: NodeContext, part: string, index: number): JsonObject {
  const given = context.parameter<Json>(`${part}ParametersJson`, index, '');
  if (given === '') return {};
  const record = typeof given === 'string' ? lenientJson(given) : given;
  if (isRecord(record)) return record;
  throw new NodeError(`The parameter ${part}ParametersJson is not a JSON object.`, { itemIndex: index, retryable: false });
}

function bodyOf(context: NodeContext, index: number): Body {
  if (!withBody.includes(context.parameter<string>('requestMethod', index, 'GET'))) return { kind: 'none' };
  const type = context.parameter('options.bodyContentType', index, 'json');
  if (type === 'raw') {
    const mediaType = String(context.parameter('options.bodyContentCustomMimeType', index, '') || 'text/plain');
    return { kind: 'raw', content: textOf(context.parameter('bodyParametersJson', index, '')), mediaType };
  }
  const fields = section(context, 'body', index);
  if (type === 'form-urlencoded') return { kind: 'form', fields };
  if (type !== 'multipart-form-data') return { kind: 'json', value: fields };
  return { kind: 'multipart', fields: Object.entries(fields).map(([name, value]) => [name, textOf(value)]) };
}
