import { describe, expect, it } from 'vitest';
import { splitTemplate } from './template.ts';

const text = (value: string) => ({ kind: 'text', text: value });
const code = (value: string) => ({ kind: 'code', code: value });

describe('splitTemplate', () => {
  it.each([
    ['', []],
    ['hello', [text('hello')]],
    ['{{ 1 }}', [code(' 1 ')]],
    ['a{{1}}b{{2}}', [text('a'), code('1'), text('b'), code('2')]],
    [' {{ 1 }}', [text(' '), code(' 1 ')]],
    ['{ $json.a }', [text('{ $json.a }')]],
    ['a }} b', [text('a }} b')]],
    ['x {{ $json.a', [text('x '), code(' $json.a')]],
    ['\\{{ 1 }} and {{ 2 }}', [text('\\{{ 1 }} and '), code(' 2 ')]],
    ['{{ "a\\}}b" }}', [code(' "a}}b" ')]],
    ['{{ "a}}b" }}', [code(' "a'), text('b" }}')]],
  ])('splits %j', (template, chunks) => {
    expect(splitTemplate(template)).toEqual(chunks);
  });
});
