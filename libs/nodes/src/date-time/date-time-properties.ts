import type { PropertyDescription } from '@app/engine';
import { anything, choice, flag, number, settings, text, when } from '../parameters/properties.ts';

/** Where each operation puts its result by default. */
export const outputFields: { readonly [operation: string]: string } = {
  getCurrentDate: 'currentDate',
  addToDate: 'newDate',
  subtractFromDate: 'newDate',
  formatDate: 'formattedDate',
  roundDate: 'roundedDate',
  getTimeBetweenDates: 'timeDifference',
  extractDate: 'datePart',
};

const units = ['years', 'quarters', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds', 'milliseconds'];
const parts = ['year', 'month', 'week', 'day', 'hour', 'minute', 'second'];
const of = (...operations: string[]): ReturnType<typeof when> => when({ operation: operations });

export const dateTimeProperties: readonly PropertyDescription[] = [
  choice('operation', 'getCurrentDate', Object.keys(outputFields)),
  flag('includeTime', true, of('getCurrentDate')),
  anything('magnitude', 'dateTime', '', { ...of('addToDate', 'subtractFromDate'), required: true }),
  choice('timeUnit', 'days', units, of('addToDate', 'subtractFromDate')),
  number('duration', 0, of('addToDate', 'subtractFromDate')),
  anything('date', 'dateTime', '', of('formatDate', 'roundDate', 'extractDate')),
  text('format', 'MM/dd/yyyy', of('formatDate')),
  text('customFormat', '', when({ operation: ['formatDate'], format: ['custom'] })),
  choice('mode', 'roundDown', ['roundDown', 'roundUp'], of('roundDate')),
  choice('toNearest', 'month', parts, when({ operation: ['roundDate'], mode: ['roundDown'] })),
  choice('to', 'month', parts, when({ operation: ['roundDate'], mode: ['roundUp'] })),
  anything('startDate', 'dateTime', '', of('getTimeBetweenDates')),
  anything('endDate', 'dateTime', '', of('getTimeBetweenDates')),
  anything('units', 'multiOptions', ['day'], of('getTimeBetweenDates')),
  choice('part', 'month', parts, of('extractDate')),
  ...Object.entries(outputFields).map(([operation, field]) => text('outputFieldName', field, of(operation))),
  settings([flag('includeInputFields', false), text('fromFormat'), anything('timezone', 'json', ''), flag('isoString', false)]),
];
