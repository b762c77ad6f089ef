import { describe, expect, it } from 'vitest';
import { comparisonFor, regexOf } from './operators.ts';

const holds = (type: string, operation: string, left: unknown, right?: unknown, ignoreCase = false): boolean =>
  comparisonFor(type, operation)(left, right, ignoreCase);

describe('comparisonFor', () => {
  it('takes missing text for empty text', () => {
    expect(holds('string', 'empty', undefined)).toBe(true);
    expect(holds('string', 'notEquals', null, 'x')).toBe(true);
    expect(holds('string', 'contains', null, '')).toBe(true);
  });

  it('ignores capitals on both sides when told, but never in a pattern', () => {
    expect(holds('string', 'equals', 'BUG', 'bug', true)).toBe(true);
    expect(holds('string', 'regex', 'A1', '\\D\\d', true)).toBe(true);
    expect(holds('array', 'contains', ['x', 'Y'], 'y', true)).toBe(true);
    expect(holds('array', 'contains', ['x', 'Y'], 'y')).toBe(false);
  });

  it('says that NaN does not exist', () => {
    expect(holds('number', 'exists', Number.NaN)).toBe(false);
    expect(holds('number', 'equals', Number.NaN, Number.NaN)).toBe(false);
  });

  it('never matches a date that is missing', () => {
    expect(holds('dateTime', 'notEquals', null, null)).toBe(false);
    expect(holds('dateTime', 'notExists', null)).toBe(true);
  });

  it('counts lists and objects that are missing as empty', () => {
    expect(holds('array', 'empty', undefined)).toBe(true);
    expect(holds('array', 'lengthLt', undefined, 1)).toBe(true);
    expect(holds('object', 'notEmpty', null)).toBe(false);
  });

  it('is never true for operators that nobody knows', () => {
    expect(holds('string', 'soundsLike', 'a', 'a')).toBe(false);
    expect(holds('planet', 'equals', 'a', 'a')).toBe(false);
    expect(holds('string', 'constructor', 'a', 'a')).toBe(false);
  });
});

describe('regexOf', () => {
  it('reads literals with flags, and drops flags that keep a position', () => {
    expect(regexOf('/^a/i').test('ABC')).toBe(true);
    const pattern = regexOf('/a/g');
    expect([pattern.test('a'), pattern.test('a')]).toEqual([true, true]);
  });
});
