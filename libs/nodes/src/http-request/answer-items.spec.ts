import { describe, expect, it } from 'vitest';
import { answerItems, contentOf, type AnswerRules } from './answer-items.ts';
import type { Answer } from './send.ts';

const answer = (body: string, contentType = 'application/json', more: Answer['headers'] = {}): Answer => ({
  status: 200,
  statusText: 'OK',
  headers: { 'content-type': contentType, ...more },
  body: Buffer.from(body),
  url: new URL('http://a.test/files/report'),
});
const rules: AnswerRules = { format: 'autodetect', full: false, propertyName: 'data' };
const itemsOf = (given: Answer, more: Partial<AnswerRules> = {}) => {
  const all = { ...rules, ...more };
  return answerItems(given, contentOf(given, all.format, 4), all, { json: { asked: 1 } }, 4);
};

describe('answers as items', () => {
  it.each([
    ['{"a":1}', 'application/json', [{ a: 1 }]],
    ['[{"a":1},{"a":2}]', 'application/json; charset=utf-8', [{ a: 1 }, { a: 2 }]],
    ['{"a":1}', 'application/problem+json', [{ a: 1 }]],
    ['{"a":1}', 'text/plain', [{ data: '{"a":1}' }]],
    ['<h1>', 'text/html', [{ data: '<h1>' }]],
    ['', 'text/plain', [{}]],
    ['', 'application/json', [{}]],
    ['42', 'application/json', [42]],
  ])('%s as %s', (body, contentType, expected) => {
    const items = itemsOf(answer(body, contentType));
    expect(items.map((item) => item.json)).toEqual(expected);
    expect(items.every((item) => (item.pairedItem as { item: number }).item === 4)).toBe(true);
  });

  it('keeps files with the fields of the item that asked', () => {
    const [item] = itemsOf(answer('PDF', 'application/pdf'), { propertyName: 'doc' });
    expect(item).toMatchObject({
      json: { asked: 1 },
      binary: { doc: { mimeType: 'application/pdf', fileName: 'report', fileExtension: 'pdf', bytes: 3, data: 'UERG' } },
    });
  });

  it('takes the file name the answer gives', () => {
    const [item] = itemsOf(answer('x', 'application/octet-stream', { 'content-disposition': 'attachment; filename="a b.bin"' }));
    expect(item?.binary?.['data']).toMatchObject({ fileName: 'a b.bin', fileExtension: 'bin' });
  });

  it('shows status and headers with the full response', () => {
    const headers = { 'content-type': 'application/json', 'set-cookie': ['a', 'b'] };
    expect(itemsOf(answer('[1]', 'application/json', { 'set-cookie': ['a', 'b'] }), { full: true })).toMatchObject([
      { json: { body: [1], headers, statusCode: 200, statusMessage: 'OK' } },
    ]);
    expect(itemsOf(answer('hi', 'text/plain'), { full: true })[0]?.json).toMatchObject({ data: 'hi', statusCode: 200 });
  });

  it('refuses broken JSON, and text where JSON was demanded', () => {
    expect(() => itemsOf(answer('{"a": '))).toThrow(/Invalid JSON/);
    expect(() => itemsOf(answer('plain', 'text/plain'), { format: 'json' })).toThrow(/not valid JSON/);
  });
});
