import { describe, expect, it } from 'vitest';
import { longestSafeSubject } from './regex-risk.ts';

describe('longestSafeSubject', () => {
  it.each([
    '(a+)+',
    '(a*)*b',
    '(a|aa)+',
    '(?:x+x+)+y',
    '([a-z]+)*',
    '(a|b|ab)*c',
    '(.*)\\1',
    '(a+){10}',
    '((a)|b)+',
    '(?<n>a+)+\\k<n>',
    'a*'.repeat(300),
  ])('lets no subject be matched against %s', (pattern) => {
    expect(longestSafeSubject(pattern)).toBe(0);
  });

  it.each(['abc', '[a-z]', 'a{3}', '(ab)?c', '^\\d{4}-\\d{2}$', 'x|y', '[(+*]', '\\(\\+'])(
    'lets long subjects be matched against %s',
    (pattern) => {
      expect(longestSafeSubject(pattern)).toBe(100_000);
    },
  );

  it('allows shorter subjects the more repetitions there are', () => {
    const lengths = ['a+', 'a+b+', 'a+b+c+', 'a+b+c+d+'].map(longestSafeSubject);
    expect(lengths).toEqual([2_000, 200, 60, 0]);
  });

  it('finishes its longest subject in a fraction of a second', () => {
    for (const pattern of ['a+b', 'a+a+b', 'a+a+a+b']) {
      const subject = 'a'.repeat(longestSafeSubject(pattern));
      const start = performance.now();
      expect(new RegExp(pattern).test(subject)).toBe(false);
      expect(performance.now() - start).toBeLessThan(250);
    }
  });
});
