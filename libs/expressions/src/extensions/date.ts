import { DateTime, Duration } from 'luxon';
import type { DateTimeUnit, DurationLike, DurationLikeObject, DurationUnit, LocaleOptions } from 'luxon';
import { ExpressionExtensionError } from '../errors.ts';
import type { Evaluation } from '../language/evaluation.ts';
import type { Extensions } from './extension.ts';

type AnyDate = Date | DateTime;

/** Each unit with its short names; singular and plural are the same. */
const UNITS: ReadonlyMap<string, DurationUnit> = new Map(
  [
    'milliseconds ms msec msecs millisecond',
    'seconds s sec secs second',
    'minutes m min mins minute',
    'hours h hr hrs hour',
    'days d day',
    'weeks w week',
    'months month',
    'quarters quarter',
    'years y yr yrs year',
  ].flatMap((line): [string, DurationUnit][] => {
    const names = line.split(' ');
    return names.map((name) => [name, names[0] as DurationUnit]);
  }),
);

function unitOf(value: unknown, fallback: DurationUnit): DurationUnit {
  if (value === undefined || value === null) return fallback;
  const unit = UNITS.get(String(value).toLowerCase());
  if (!unit)
    throw new ExpressionExtensionError(
      `Unknown unit of time "${String(value).slice(0, 40)}"`,
      'Known: years, quarters, months, weeks, days, hours, minutes, seconds, milliseconds.',
    );
  return unit;
}

/** A unit, as the start or end of which a date can be taken. */
const singular = (unit: DurationUnit): DateTimeUnit => unit.replace(/s$/, '') as DateTimeUnit;

function toDateTime(date: unknown, zone: string): DateTime {
  if (DateTime.isDateTime(date)) return date;
  if (date instanceof Date) return DateTime.fromJSDate(date, { zone });
  const parsed = typeof date === 'string' ? DateTime.fromISO(date, { zone }) : DateTime.invalid('no date');
  if (!parsed.isValid)
    throw new ExpressionExtensionError('A date is needed here', 'For instance $now, a DateTime, or a text like "2024-03-15".');
  return parsed;
}

/** Dates stay what they were: JavaScript's Date or luxon's DateTime. */
function likeInput(input: AnyDate, result: DateTime): AnyDate {
  return DateTime.isDateTime(input) ? result : result.toJSDate();
}

function shift(sign: 1 | -1) {
  return (date: AnyDate, [amount, unit]: readonly unknown[], { view }: Evaluation): AnyDate => {
    const duration: DurationLike =
      typeof amount === 'number' || typeof amount === 'string'
        ? { [unitOf(unit, 'milliseconds')]: Number(amount) }
        : Duration.isDuration(amount)
          ? amount
          : namedUnits(amount);
    const dateTime = toDateTime(date, view.zone);
    return likeInput(date, sign === 1 ? dateTime.plus(duration) : dateTime.minus(duration));
  };
}

function namedUnits(amount: unknown): DurationLikeObject {
  if (typeof amount !== 'object' || amount === null)
    throw new ExpressionExtensionError('plus() and minus() need an amount', 'For instance $now.plus(7, "days") or $now.plus({ days: 7 }).');
  return Object.fromEntries(Object.entries(amount).map(([unit, value]) => [unitOf(unit, 'milliseconds'), Number(value)]));
}

function difference(from: DateTime, to: DateTime, units: unknown): number | object {
  const list = Array.isArray(units) ? units.map((unit) => unitOf(unit, 'days')) : [unitOf(units, 'days')];
  const duration = from.diff(to, list);
  return list.length === 1 ? duration.as(list[0]!) : duration.toObject();
}

function extract(date: AnyDate, [part]: readonly unknown[], { view }: Evaluation): unknown {
  const dateTime = toDateTime(date, view.zone);
  const name = part === undefined ? 'week' : String(part);
  switch (name) {
    case 'week':
    case 'weeks':
    case 'weekNumber':
      return dateTime.weekNumber;
    case 'yearDayNumber':
      return dateTime.ordinal;
    default: {
      const unit = UNITS.get(name.toLowerCase());
      return dateTime.get((unit ? singular(unit) : name) as keyof DateTime);
    }
  }
}

function isBetween(date: AnyDate, args: readonly unknown[], { view }: Evaluation): boolean {
  if (args.length !== 2)
    throw new ExpressionExtensionError(
      `isBetween() takes two dates and got ${args.length} argument(s)`,
      'For instance $now.isBetween("2024-01-01", "2024-12-31").',
    );
  const [first, second] = args.map((arg) => toDateTime(arg, view.zone).toMillis()) as [number, number];
  const moment = toDateTime(date, view.zone).toMillis();
  return moment > Math.min(first, second) && moment < Math.max(first, second);
}

function isInLast(date: AnyDate, [amount, unit]: readonly unknown[], { view }: Evaluation): boolean {
  const now = DateTime.fromMillis(view.data.now, { zone: view.zone });
  const start = now.minus({ [unitOf(unit, 'minutes')]: Number(amount ?? 0) });
  const moment = toDateTime(date, view.zone);
  return moment > start && moment <= now;
}

export const DATE_EXTENSIONS: Extensions<AnyDate> = {
  plus: shift(1),
  minus: shift(-1),
  diffTo: (date, [other, units], { view }) => difference(toDateTime(date, view.zone), toDateTime(other, view.zone), units),
  diffToNow: (date, [units], { view }) =>
    difference(toDateTime(date, view.zone), DateTime.fromMillis(view.data.now, { zone: view.zone }), units),
  format: (date, [pattern, options], { view }) =>
    toDateTime(date, view.zone).toFormat(String(pattern ?? 'yyyy-MM-dd'), (options as LocaleOptions | undefined) ?? {}),
  beginningOf: (date, [unit], { view }) => likeInput(date, toDateTime(date, view.zone).startOf(singular(unitOf(unit, 'weeks')))),
  endOfMonth: (date, _args, { view }) => likeInput(date, toDateTime(date, view.zone).endOf('month')),
  extract,
  isBetween,
  isInLast,
  isWeekend: (date, _args, { view }) => toDateTime(date, view.zone).weekday > 5,
  isDst: (date, _args, { view }) => toDateTime(date, view.zone).isInDST,
  toInt: (date) => date.valueOf(),
  toFloat: (date) => date.valueOf(),
  toNumber: (date) => date.valueOf(),
  toDateTime: (date, _args, { view }) => toDateTime(date, view.zone),
  toBoolean: () => undefined,
  isEmpty: () => false,
  isNotEmpty: () => true,
};
