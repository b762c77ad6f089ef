import { describe, expect, it } from 'vitest';
import type { DisplayOptions, Json } from '@app/engine';
import { isDisplayed } from './display-options.ts';

const shown = (options: DisplayOptions, values: { [key: string]: Json }): boolean => isDisplayed(options, (key) => values[key]);

describe('isDisplayed', () => {
  it('demands every key under show and none under hide', () => {
    const options: DisplayOptions = { show: { a: [1], b: [2] }, hide: { c: [3] } };
    expect(shown(options, { a: 1, b: 2 })).toBe(true);
    expect(shown(options, { a: 1 })).toBe(false);
    expect(shown(options, { a: 1, b: 2, c: 3 })).toBe(false);
  });

  it.each([
    [{ gte: 2 }, 2, true],
    [{ gte: 2 }, 1.9, false],
    [{ not: 'x' }, 'y', true],
    [{ between: { from: 1, to: 2 } }, 1.5, true],
    [{ startsWith: 'ab' }, 'abc', true],
    [{ regex: '^a.c$' }, 'abc', true],
    [{ exists: true }, '', false],
    [{ madeUp: 1 }, 1, false],
  ])('reads the condition %j for %j', (condition, value, expected) => {
    expect(shown({ show: { a: [{ _cnd: condition }] } }, { a: value })).toBe(expected);
  });

  it('compares each element of a list', () => {
    expect(shown({ show: { a: ['x'] } }, { a: ['y', 'x'] })).toBe(true);
  });
});
