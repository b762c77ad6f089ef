import { describe, expect, it } from 'vitest';
import { AuthorPattern } from './author-pattern.ts';

const HOSTILE = '^(a|a)*$';
const subject = `${'a'.repeat(40)}!`;

describe('AuthorPattern', () => {
  it.each([
    ['^\\d+$', '', '123', true],
    ['^\\d+$', '', '12a', false],
    ['ÄB', 'i', 'äb', true],
    // Nested repetitions: searched under the time limit.
    ['^(ab*)+$', '', 'ababb', true],
    ['^(ab*)+$', '', 'ba', false],
    ['^(a|b)+c$', 'iu', 'ABc', true],
  ])('/%s/%s on %j: %s', (source, flags, text, wanted) => {
    expect(new AuthorPattern(source, flags).test(text)).toBe(wanted);
  });

  it('replaces as JavaScript does, groups and names in the replacement too', () => {
    expect(new AuthorPattern('^user_').replace('user_name', '')).toBe('name');
    expect(new AuthorPattern('(?<first>(?:a|b)+)-(c+)').replace('xab-ccx', '$2.$<first>.$&')).toBe('xcc.ab.ab-ccx');
  });

  it('refuses what is no pattern at once', () => {
    expect(() => new AuthorPattern('(')).toThrow(SyntaxError);
  });

  it.each([
    ['test', (pattern: AuthorPattern) => pattern.test(subject)],
    ['replace', (pattern: AuthorPattern) => pattern.replace(subject, '')],
  ] as const)('ends a search that would take for ever: %s', (_, search) => {
    expect(() => search(new AuthorPattern(HOSTILE))).toThrow(expect.objectContaining({ code: 'pattern_too_slow', retryable: false, message: `The regular expression /${HOSTILE}/ takes too long on this text.` }));
  });

  it('refuses a pattern that has wasted much time, and no other one', () => {
    const pattern = new AuthorPattern('^(b|b)*$');
    const search = () => pattern.test(`${'b'.repeat(40)}!`);
    for (let times = 0; times < 4; times++) expect(search).toThrow(/takes too long/);
    // Nothing is searched any more, not even what would be quick.
    expect(() => pattern.test('bb')).toThrow(/takes too long/);
    expect(new AuthorPattern('^(c|c)*$').test('cc')).toBe(true);
  });

  it('keeps nothing of a search for the next one', () => {
    const pattern = new AuthorPattern('^(x+)+$');
    expect([pattern.test('xx'), pattern.test('y'), pattern.test('xx')]).toEqual([true, false, true]);
  });
});
