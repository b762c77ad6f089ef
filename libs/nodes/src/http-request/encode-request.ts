import { randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '@app/engine';
import { NodeError } from '../node-error.ts';
import { textOf } from '../values/convert.ts';
import { isList, isRecord } from '../values/guards.ts';
import type { Body, QueryArrays, RequestPlan, UploadedFile, WireRequest } from './request-plan.ts';

/** Puts the parts together. Headers the author set win over those that follow from the body. */
export function encodeRequest(plan: RequestPlan, itemIndex: number): WireRequest {
  const { content, mediaType } = encodeBody(plan.body);
  const headers: { [name: string]: string } = { accept: 'application/json,text/html,*/*;q=0.9' };
  if (mediaType !== null) headers['content-type'] = mediaType;
  return {
    method: plan.method,
    url: fullUrl(plan, itemIndex),
    headers: { ...headers, ...plan.headers },
    body: content,
  };
}

function fullUrl(plan: RequestPlan, itemIndex: number): URL {
  const url = /^https?:\/\//i.test(plan.url) ? URL.parse(plan.url) : null;
  if (!url) {
    throw new NodeError(`Invalid URL: ${plan.url}. URL must start with "http" or "https".`, { itemIndex, retryable: false });
  }
  const extra = queryText(plan.query, plan.queryArrays);
  if (extra !== '') url.search = url.search === '' ? extra : `${url.search}&${extra}`;
  return url;
}

function queryText(query: JsonObject, arrays: QueryArrays): string {
  return Object.entries(query)
    .flatMap(([name, value]) => pairs(name, value, arrays))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`)
    .join('&');
}

function pairs(name: string, value: Json, arrays: QueryArrays): (readonly [string, Json])[] {
  if (isList(value)) {
    return value.flatMap((each, index) => pairs(elementName(name, index, arrays), each, arrays));
  }
  if (isRecord(value)) return Object.entries(value).flatMap(([key, each]) => pairs(`${name}[${key}]`, each, arrays));
  return value === undefined ? [] : [[name, value ?? '']];
}

const elementName = (name: string, index: number, arrays: QueryArrays): string =>
  arrays === 'brackets' ? `${name}[]` : arrays === 'indices' ? `${name}[${index}]` : name;

function encodeBody(body: Body): { content: string | Buffer | null; mediaType: string | null } {
  switch (body.kind) {
    case 'none':
      return { content: null, mediaType: null };
    case 'json':
      return { content: JSON.stringify(body.value ?? {}), mediaType: 'application/json' };
    case 'form':
      return { content: queryText(body.fields, 'repeat'), mediaType: 'application/x-www-form-urlencoded' };
    case 'raw':
      return { content: body.content, mediaType: body.mediaType };
    case 'multipart':
      return encodeMultipart(body.fields);
  }
}

function encodeMultipart(fields: readonly (readonly [string, string | UploadedFile])[]): { content: Buffer; mediaType: string } {
  const boundary = `form-${randomUUID()}`;
  const parts = fields.flatMap(([name, value]) => [
    Buffer.from(`--${boundary}\r\n${partHeaders(name, value)}\r\n\r\n`),
    typeof value === 'string' ? Buffer.from(value) : value.content,
    Buffer.from('\r\n'),
  ]);
  return {
    content: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    mediaType: `multipart/form-data; boundary=${boundary}`,
  };
}

function partHeaders(name: string, value: string | UploadedFile): string {
  const disposition = `Content-Disposition: form-data; name="${quoted(name)}"`;
  if (typeof value === 'string') return disposition;
  return `${disposition}; filename="${quoted(value.fileName)}"\r\nContent-Type: ${value.mimeType.replace(/[\r\n]/g, '')}`;
}

/** Line breaks and quotes would end the header early. */
const quoted = (text: string): string => text.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');
