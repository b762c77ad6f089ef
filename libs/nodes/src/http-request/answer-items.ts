import type { BinaryValue, Item, Json, JsonObject } from '@app/engine';
import { fileOf } from '../files/file.ts';
import { bareMediaType, isFile, isJson } from '../files/media-type.ts';
import { NodeError } from '../node-error.ts';
import { isList } from '../values/guards.ts';
import type { Answer } from './send.ts';

export interface AnswerRules {
  readonly format: 'autodetect' | 'json' | 'text' | 'file';
  readonly full: boolean;
  /** Where text and files go. */
  readonly propertyName: string;
}

/** The content of an answer as JSON, text or file. */
export type Content =
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly file: BinaryValue };

export function contentOf(answer: Answer, format: AnswerRules['format'], itemIndex: number): Content {
  const mediaType = bareMediaType(headerOf(answer, 'content-type'));
  if (format === 'file' || (format === 'autodetect' && isFile(mediaType))) {
    return { kind: 'file', file: fileIn(answer, mediaType) };
  }
  const text = answer.body.toString('utf8');
  if (format === 'text' || (format === 'autodetect' && !isJson(mediaType) && text !== '')) return { kind: 'text', text };
  if (text === '') return { kind: 'json', value: {} };
  try {
    return { kind: 'json', value: JSON.parse(text) as Json };
  } catch {
    throw new NodeError(
      format === 'json' ? 'Response body is not valid JSON. Change "Response Format" to "Text"' : 'Invalid JSON in response body',
      { itemIndex, code: 'invalid_response', description: text.slice(0, 200) },
    );
  }
}

/** The items an answer becomes, all paired with the item that asked. A file travels with the fields of that item. */
export function answerItems(answer: Answer, content: Content, rules: AnswerRules, asking: Item, itemIndex: number): Item[] {
  const pairedItem = { item: itemIndex };
  const envelope: JsonObject = rules.full
    ? { headers: definedOf(answer.headers), statusCode: answer.status, statusMessage: answer.statusText }
    : {};
  switch (content.kind) {
    case 'file': {
      const json = rules.full ? envelope : asking.json;
      return [{ json, binary: { ...asking.binary, [rules.propertyName]: content.file }, pairedItem }];
    }
    case 'text':
      return [{ json: { ...envelope, [rules.propertyName]: content.text }, pairedItem }];
    case 'json':
      if (rules.full) return [{ json: { body: content.value, ...envelope }, pairedItem }];
      // Scalars are put out as they are, which n8n does too.
      return (isList(content.value) ? content.value : [content.value]).map((value) => ({ json: value as JsonObject, pairedItem }));
  }
}

const headerOf = (answer: Answer, name: string): string => [answer.headers[name] ?? ''].flat().join(', ');

const definedOf = (headers: Answer['headers']): JsonObject =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string | string[]] => entry[1] !== undefined));

function fileIn(answer: Answer, mediaType: string): BinaryValue {
  const named = /filename\*?=(?:UTF-8'')?"?([^";]+)"?/i.exec(headerOf(answer, 'content-disposition'))?.[1];
  const fileName = decoded(named ?? answer.url.pathname.split('/').filter(Boolean).at(-1) ?? 'file');
  return fileOf(answer.body, mediaType || 'application/octet-stream', fileName);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
