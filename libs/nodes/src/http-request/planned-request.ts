import type { Item, Json, JsonObject } from '@app/engine';
import { contentOfFile, fileIn } from '../files/file.ts';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import { textOf } from '../values/convert.ts';
import { isList, isRecord } from '../values/guards.ts';
import type { Body, QueryArrays, RequestPlan, UploadedFile } from './request-plan.ts';

/** The request an item asks for, read from the parameters of version 3 and later. */
export function plannedRequest(context: NodeContext, item: Item, index: number): RequestPlan {
  const headers = section(context, index, 'Headers', 'headerParameters', 'jsonHeaders');
  return {
    method: String(context.parameter('method', index, 'GET')).toUpperCase(),
    url: String(context.parameter('url', index, '')).trim(),
    query: section(context, index, 'Query', 'queryParameters', 'jsonQuery'),
    queryArrays: context.parameter<QueryArrays>('options.queryParameterArrays', index, 'repeat'),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), textOf(value)])),
    body: context.parameter('sendBody', index, false) === true ? bodyOf(context, item, index) : { kind: 'none' },
  };
}

/** Query and headers are given the same two ways: pairs or a JSON object. */
function section(context: NodeContext, index: number, name: 'Query' | 'Headers', pairs: string, json: string): JsonObject {
  if (context.parameter(`send${name}`, index, false) !== true) return {};
  if (context.parameter(`specify${name}`, index, 'keypair') === 'json') {
    return recordFrom(context.parameter<Json>(json, index, {}), `JSON ${name === 'Query' ? 'Query Parameters' : 'Headers'}`, index);
  }
  return pairsIn(context.parameter<Json>(`${pairs}.parameters`, index, []));
}

function bodyOf(context: NodeContext, item: Item, index: number): Body {
  const contentType = context.parameter<string>('contentType', index, 'json');
  const fields = (): JsonObject[] => listOf(context.parameter<Json>('bodyParameters.parameters', index, []));
  switch (contentType) {
    case 'raw':
      return {
        kind: 'raw',
        content: textOf(context.parameter('body', index, '')),
        mediaType: String(context.parameter('rawContentType', index, '') || 'text/plain'),
      };
    case 'binaryData': {
      const file = uploadedFile(item, context.parameter<string>('inputDataFieldName', index, 'data'), index);
      return { kind: 'raw', content: file.content, mediaType: file.mimeType };
    }
    case 'multipart-form-data':
      return { kind: 'multipart', fields: fields().map((field) => [String(field['name'] ?? ''), part(field, item, index)]) };
    case 'form-urlencoded':
      if (context.parameter('specifyBody', index, 'keypair') === 'string') {
        const content = textOf(context.parameter('body', index, ''));
        return { kind: 'raw', content, mediaType: 'application/x-www-form-urlencoded' };
      }
      return { kind: 'form', fields: pairsIn(fields()) };
    default:
      if (context.parameter('specifyBody', index, 'keypair') !== 'json') return { kind: 'json', value: pairsIn(fields()) };
      return { kind: 'json', value: parsed(context.parameter<Json>('jsonBody', index, {}), 'JSON Body', index) };
  }
}

const part = (field: JsonObject, item: Item, index: number): string | UploadedFile =>
  field['parameterType'] === 'formBinaryData'
    ? uploadedFile(item, String(field['inputDataFieldName'] ?? ''), index)
    : textOf(field['value'] ?? '');

function uploadedFile(item: Item, name: string, itemIndex: number): UploadedFile {
  const file = fileIn(item, name, itemIndex);
  return { content: contentOfFile(file), mimeType: file.mimeType, fileName: file.fileName ?? name };
}

function recordFrom(value: Json, field: string, itemIndex: number): JsonObject {
  const record = parsed(value, field, itemIndex);
  if (isRecord(record)) return record;
  throw new NodeError(`The value in the "${field}" field is not a JSON object`, { itemIndex, retryable: false });
}

function parsed(value: Json, field: string, itemIndex: number): Json {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as Json;
  } catch (cause) {
    throw new NodeError(`The value in the "${field}" field is not valid JSON`, { itemIndex, retryable: false, cause });
  }
}

const listOf = (value: Json): JsonObject[] => (isList(value) ? value.filter(isRecord) : []);

const pairsIn = (value: Json): JsonObject =>
  Object.fromEntries(listOf(value).map((pair) => [String(pair['name'] ?? ''), pair['value'] ?? '']).filter(([name]) => name !== ''));
