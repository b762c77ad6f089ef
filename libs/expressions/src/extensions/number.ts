import { DateTime } from 'luxon';
import { ExpressionExtensionError } from '../errors.ts';
import type { Extensions } from './extension.ts';

const DAY_MS = 86_400_000;
/** Excel's day 0; its day 60, 29 February 1900, never was. */
const EXCEL_EPOCH_MS = Date.UTC(1899, 11, 30);

export function numberToDateTime(number: number, unit: unknown, zone: string): DateTime {
  switch (unit) {
    case 's':
      return DateTime.fromMillis(number * 1000, { zone });
    case 'us':
      return DateTime.fromMillis(Math.trunc(number / 1000), { zone });
    case 'excel':
      return DateTime.fromMillis(Math.round(EXCEL_EPOCH_MS + (number < 60 ? number + 1 : number) * DAY_MS), { zone });
    case undefined:
    case 'ms':
      return DateTime.fromMillis(number, { zone });
    default:
      throw new ExpressionExtensionError(`toDateTime(): unknown unit "${String(unit).slice(0, 40)}"`, 'Known: ms, s, us, excel.');
  }
}

function parity(number: number, method: string): number {
  if (!Number.isInteger(number)) throw new ExpressionExtensionError(`${method}() needs a whole number and got ${number}`);
  return Math.abs(number % 2);
}

export const NUMBER_EXTENSIONS: Extensions<number> = {
  format: (number, [locale, options]) =>
    new Intl.NumberFormat((locale as string | undefined) ?? 'en-US', options as Intl.NumberFormatOptions | undefined).format(number),
  round: (number, [decimals]) => Number(number.toFixed((decimals as number | undefined) ?? 0)),
  floor: (number) => Math.floor(number),
  ceil: (number) => Math.ceil(number),
  abs: (number) => Math.abs(number),
  isInteger: (number) => Number.isInteger(number),
  isEven: (number) => parity(number, 'isEven') === 0,
  isOdd: (number) => parity(number, 'isOdd') === 1,
  toInt: (number) => Math.round(number),
  toFloat: (number) => number,
  toNumber: (number) => number,
  toBoolean: (number) => number !== 0,
  toDateTime: (number, [unit], { view }) => numberToDateTime(number, unit, view.zone),
};
