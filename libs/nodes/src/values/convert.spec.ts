import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { convert, lenientJson, textOf } from './convert.ts';

const loose = { strict: false, zone: 'UTC' };
const strict = { strict: true, zone: 'UTC' };

describe('convert', () => {
  it.each([
    ['number', '1e2', 100],
    ['number', '', 0],
    ['number', true, 1],
    ['boolean', 'FALSE', false],
    ['boolean', 1, true],
    ['boolean', '0', false],
    ['array', '[1, 2]', [1, 2]],
    ['object', `{ x: 'y' }`, { x: 'y' }],
    ['string', { a: 1 }, '{"a":1}'],
  ] as const)('reads a %s from %j', (type, value, expected) => {
    expect(convert(value, type, loose)).toEqual({ value: expected });
  });

  it.each([
    ['number', 'ten'],
    ['boolean', 'yes please'],
    ['boolean', 2],
    ['array', { x: 1 }],
    ['object', [1]],
    ['object', '{x:'],
    ['dateTime', 'soon'],
  ] as const)('refuses to read a %s from %j', (type, value) => {
    expect(convert(value, type, loose)).toBeNull();
  });

  it('takes nothing but the type itself when strict', () => {
    expect(convert('5', 'number', strict)).toBeNull();
    expect(convert(5, 'number', strict)).toEqual({ value: 5 });
    expect(convert(5, 'string', strict)).toBeNull();
  });

  it('lets null and undefined pass as any type', () => {
    expect(convert(null, 'number', strict)).toEqual({ value: null });
    expect(convert(undefined, 'array', strict)).toEqual({ value: undefined });
  });

  it('reads dates without offset in the given zone', () => {
    const moment = convert('2024-07-01 12:00:00', 'dateTime', { strict: true, zone: 'Europe/Oslo' })?.value;
    expect((moment as DateTime).toUTC().toISO()).toBe('2024-07-01T10:00:00.000Z');
  });
});

describe('textOf', () => {
  it('writes dates as ISO 8601 and not as quoted JSON', () => {
    expect(textOf(DateTime.fromISO('2024-03-10T08:15:00Z', { zone: 'utc' }))).toBe('2024-03-10T08:15:00.000Z');
    expect(textOf(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
  });
});

describe('lenientJson', () => {
  it('accepts what people type, and nothing that is no value', () => {
    expect(lenientJson(`{a: 'b', c: [1,],}`)).toEqual({ a: 'b', c: [1] });
    expect(lenientJson('{ nope')).toBeUndefined();
    expect(lenientJson('process.exit()')).toBeUndefined();
  });
});
