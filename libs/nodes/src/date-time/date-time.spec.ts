import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@app/engine';
import { firstOf } from '../../testing/run-node.ts';
import { dateTimeV1 } from './date-time-v1.ts';
import { dateTime } from './date-time.ts';
import { luxonFormat } from './moment-format.ts';

const run = (parameters: JsonObject, d: Json = '2024-05-17T15:45:10Z', timezone = 'UTC') =>
  firstOf(dateTime, { parameters, inputs: [[{ d, k: 1 }]], timezone, now: Date.parse('2024-02-03T04:05:06Z') });

describe('Date & Time', () => {
  it.each([
    [{ operation: 'addToDate', magnitude: '2024-01-31', timeUnit: 'months', duration: 1 }, { newDate: '2024-02-29T00:00:00.000Z' }],
    [{ operation: 'subtractFromDate', magnitude: '={{ $json.d }}', timeUnit: 'hours', duration: 16 }, { newDate: '2024-05-16T23:45:10.000Z' }],
    [{ operation: 'roundDate', date: '={{ $json.d }}', toNearest: 'week' }, { roundedDate: '2024-05-13T00:00:00.000Z' }],
    [{ operation: 'roundDate', date: '={{ $json.d }}', mode: 'roundUp' }, { roundedDate: '2024-06-01T00:00:00.000Z' }],
    [{ operation: 'extractDate', date: '={{ $json.d }}' }, { datePart: 5 }],
    [{ operation: 'extractDate', date: '={{ $json.d }}', part: 'week' }, { datePart: 20 }],
    [{ operation: 'getTimeBetweenDates', startDate: '2024-03-01', endDate: '2024-02-01' }, { timeDifference: { days: -29 } }],
    [{ operation: 'getTimeBetweenDates', startDate: '2024-01-01', endDate: '2024-01-03', options: { isoString: true } }, { timeDifference: 'P2D' }],
    [{ outputFieldName: 'at' }, { at: '2024-02-03T04:05:06.000Z' }],
    [{ includeTime: false }, { currentDate: '2024-02-03T00:00:00.000Z' }],
    [{ operation: 'formatDate', date: '={{ $json.d }}' }, { formattedDate: '05/17/2024' }],
    [{ operation: 'formatDate', date: '17.05.2024', format: 'yyyy-MM-dd', options: { fromFormat: 'dd.MM.yyyy' } }, { formattedDate: '2024-05-17' }],
  ])('computes %j', async (parameters, expected) => {
    expect(await run(parameters)).toEqual([expected]);
  });

  it.each([[1709971500], [1709971500000], ['1709971500']])('reads %j as Unix time', async (value) => {
    expect(await run({ operation: 'formatDate', date: '={{ $json.d }}', format: 'yyyy-MM-dd' }, value)).toEqual([{ formattedDate: '2024-03-09' }]);
  });

  it('formats in UTC, or in the zone of the workflow when told', async () => {
    const parameters = { operation: 'formatDate', date: '={{ $json.d }}', format: 'custom', customFormat: 'dd HH:mm' };
    const at = '2024-07-01T22:30:00Z';
    expect(await run(parameters, at, 'Europe/Oslo')).toEqual([{ formattedDate: '01 22:30' }]);
    expect(await run({ ...parameters, options: { timezone: true } }, at, 'Europe/Oslo')).toEqual([{ formattedDate: '02 00:30' }]);
  });

  it('lets a missing date stay missing, and refuses what is none', async () => {
    expect(await run({ operation: 'formatDate', date: '={{ $json.d }}' }, null)).toEqual([{ formattedDate: null }]);
    await expect(run({ operation: 'extractDate', date: 'soon' })).rejects.toThrow(/Invalid date: "soon" \[item 0\]/);
    await expect(run({ operation: 'invent' })).rejects.toThrow(/Unknown operation/);
  });

  it('keeps the input fields when told', async () => {
    expect(await run({ operation: 'extractDate', date: '={{ $json.d }}', options: { includeInputFields: true } })).toMatchObject([{ k: 1, datePart: 5 }]);
  });
});

describe('Date & Time, version 1', () => {
  const inputs = [[{ d: '2024-03-09T08:05:00Z' }]];

  it('formats with the tokens of moment and keeps the input', async () => {
    const parameters = { value: '={{ $json.d }}', dataPropertyName: 'o.when', toFormat: 'YYYY/MM/DD' };
    expect(await firstOf(dateTimeV1, { parameters, inputs })).toEqual([{ ...inputs[0]![0], 'o.when': '2024/03/09' }]);
  });

  it('moves dates', async () => {
    const parameters = { action: 'calculate', value: '={{ $json.d }}', operation: 'subtract', duration: 90, timeUnit: 'minutes' };
    expect(await firstOf(dateTimeV1, { parameters, inputs })).toMatchObject([{ data: '2024-03-09T06:35:00.000Z' }]);
  });

  it.each([
    ['YYYY-MM-DD HH:mm:ss', 'yyyy-MM-dd HH:mm:ss'],
    ['dddd, D MMM YY [at] h:mm A', "cccc, d MMM yy 'at' h:mm a"],
    ['X', 'X'],
  ])('spells %s as %s', (moment, luxon) => {
    expect(luxonFormat(moment)).toBe(luxon);
  });
});
