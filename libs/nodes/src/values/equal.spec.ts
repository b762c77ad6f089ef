import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentKey, isEqual, isFuzzyEqual } from './equal.ts';

describe('isEqual', () => {
  it('compares by content and ignores the order of keys', () => {
    expect(isEqual({ a: [1, { b: null }], c: 2 }, { c: 2, a: [1, { b: null }] })).toBe(true);
    expect(isEqual({ a: 1 }, { a: 1, b: 2 })).toBe(false);
    expect(isEqual([], {})).toBe(false);
    expect(isEqual(null, undefined)).toBe(false);
  });
});

describe('contentKey', () => {
  it('is the same for two values exactly when they are equal', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        const [a, b] = [JSON.parse(JSON.stringify(left)), JSON.parse(JSON.stringify(right))];
        expect(contentKey(a) === contentKey(b)).toBe(isEqual(a, b));
        expect(contentKey(a)).toBe(contentKey(structuredClone(a)));
      }),
    );
  });

  it('tells numbers from their texts', () => {
    expect(contentKey(1)).not.toBe(contentKey('1'));
    expect(contentKey(null)).not.toBe(contentKey(undefined));
  });
});

describe('isFuzzyEqual', () => {
  it.each([
    [1, '1', true],
    ['2', 2, true],
    [null, '', true],
    [undefined, [], true],
    [true, 'TRUE', true],
    [1, true, true],
    [{ a: 1 }, '{"a":1}', true],
    [0, '', false],
    [1, '01', false],
    ['true', 1, false],
  ])('%j against %j is %s', (left, right, expected) => {
    expect(isFuzzyEqual(left, right)).toBe(expected);
  });
});
