import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@app/engine';
import { encodeRequest } from './encode-request.ts';
import type { Body, RequestPlan } from './request-plan.ts';

const plan = (more: Partial<RequestPlan> = {}): RequestPlan => ({
  method: 'POST',
  url: 'http://a.test/p',
  query: {},
  queryArrays: 'repeat',
  headers: {},
  body: { kind: 'none' },
  ...more,
});
const bodyText = (body: Body): string => String(encodeRequest(plan({ body }), 0).body);

describe('encodeRequest', () => {
  it.each([
    [{ q: 'a b&c' }, 'repeat', '?q=a%20b%26c'],
    [{ l: [1, 2] }, 'repeat', '?l=1&l=2'],
    [{ l: [1, 2] }, 'brackets', '?l%5B%5D=1&l%5B%5D=2'],
    [{ l: ['x'] }, 'indices', '?l%5B0%5D=x'],
    [{ o: { a: 1 } }, 'repeat', '?o%5Ba%5D=1'],
  ] as const)('writes the query %j with %s', (query, queryArrays, expected) => {
    expect(encodeRequest(plan({ query: query as unknown as JsonObject, queryArrays: queryArrays }), 0).url.search).toBe(expected);
  });

  it('adds the query to one that the URL has already', () => {
    expect(encodeRequest(plan({ url: 'http://a.test/p?fixed=1', query: { more: 2 } }), 0).url.search).toBe('?fixed=1&more=2');
  });

  it.each(['not a url', 'ftp://a.test', 'javascript:alert(1)', ''])('refuses the URL "%s"', (url) => {
    expect(() => encodeRequest(plan({ url }), 3)).toThrow(/Invalid URL/);
  });

  it('writes bodies as JSON and as forms', () => {
    expect(bodyText({ kind: 'json', value: {} })).toBe('{}');
    expect(bodyText({ kind: 'form', fields: { a: '1', b: 'x y' } })).toBe('a=1&b=x%20y');
    expect(encodeRequest(plan(), 0).body).toBeNull();
  });

  it('lets the author choose the content type', () => {
    const request = encodeRequest(plan({ body: { kind: 'json', value: 1 }, headers: { 'content-type': 'application/vnd.x+json' } }), 0);
    expect(request.headers['content-type']).toBe('application/vnd.x+json');
  });

  it('writes files into a multipart body, and lets no name break out of its header', () => {
    const file = { content: Buffer.from('hello'), mimeType: 'text/plain', fileName: 'a"\r\nX: y.txt' };
    const body = bodyText({ kind: 'multipart', fields: [['upload', file], ['note', 'n']] });
    expect(body).toContain('Content-Disposition: form-data; name="upload"; filename="a%22%0D%0AX: y.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n');
    expect(body).toContain('name="note"\r\n\r\nn\r\n');
  });
});
