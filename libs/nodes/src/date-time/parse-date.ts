import { DateTime } from 'luxon';
import { NodeError } from '../node-error.ts';
import { toDateTime } from '../values/date.ts';

// Up to this many digits a number counts seconds: 12 digits of milliseconds end in 2001, of seconds in the year 33,658.
const mostDigitsOfSeconds = 11;

/** The date of a parameter, in `zone`. Numbers and their texts are Unix time, in seconds when short. */
export function parseDate(value: unknown, zone: string, itemIndex: number, fromFormat?: string): DateTime {
  const moment = fromFormat ? DateTime.fromFormat(String(value), fromFormat, { zone }) : momentOf(value, zone);
  if (moment?.isValid) return moment.setZone(zone);
  throw new NodeError(`Invalid date: "${String(value)}" [item ${itemIndex}]`, {
    itemIndex,
    retryable: false,
    description: 'Give an ISO 8601 text, or name the format in the option fromFormat.',
  });
}

function momentOf(value: unknown, zone: string): DateTime | null {
  if (typeof value !== 'number' && !/^-?\d+(\.\d+)?$/.test(String(value).trim())) return toDateTime(value, zone);
  const number = Number(value);
  const digits = String(Math.trunc(Math.abs(number))).length;
  // A year alone is a date, not a number of seconds.
  if (typeof value === 'string' && digits === 4) return toDateTime(value, zone);
  return DateTime.fromMillis(digits <= mostDigitsOfSeconds ? number * 1000 : number, { zone });
}
