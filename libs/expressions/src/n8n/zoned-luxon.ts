import { DateTime, Duration, Interval } from 'luxon';
import { allow, allowMethods } from '../language/guards.ts';

type Options = Record<string, unknown>;

export interface ZonedLuxon {
  readonly DateTime: object;
  readonly Duration: object;
  readonly Interval: object;
}

const cache = new Map<string, ZonedLuxon>();

/**
 * luxon as seen from one time zone. The zone is bound to the functions instead of luxon's settings, because
 * evaluations of workflows in different zones share the process. Parsers and constructors take it as the default.
 */
export function zonedLuxon(zone: string): ZonedLuxon {
  let zoned = cache.get(zone);
  if (!zoned) {
    zoned = { DateTime: dateTimeIn(zone), Duration: durationClass(), Interval: intervalIn(zone) };
    cache.set(zone, zoned);
  }
  return zoned;
}

function dateTimeIn(zone: string): object {
  const inZone = (options: unknown): Options => ({ zone, ...(options as Options | undefined) });
  const statics: Record<string, unknown> = {
    utc: (...args: unknown[]) => (DateTime.utc as (...args: unknown[]) => DateTime)(...args),
    fromJSDate: (date: Date, options?: unknown) => DateTime.fromJSDate(date, inZone(options)),
    fromMillis: (millis: number, options?: unknown) => DateTime.fromMillis(millis, inZone(options)),
    fromSeconds: (seconds: number, options?: unknown) => DateTime.fromSeconds(seconds, inZone(options)),
    fromObject: (fields: Options, options?: unknown) => DateTime.fromObject(fields ?? {}, inZone(options)),
    fromISO: (text: string, options?: unknown) => DateTime.fromISO(text, inZone(options)),
    fromRFC2822: (text: string, options?: unknown) => DateTime.fromRFC2822(text, inZone(options)),
    fromHTTP: (text: string, options?: unknown) => DateTime.fromHTTP(text, inZone(options)),
    fromSQL: (text: string, options?: unknown) => DateTime.fromSQL(text, inZone(options)),
    fromFormat: (text: string, format: string, options?: unknown) => DateTime.fromFormat(text, format, inZone(options)),
    fromString: (text: string, format: string, options?: unknown) => DateTime.fromFormat(text, format, inZone(options)),
    invalid: (reason: string, explanation?: string) => DateTime.invalid(reason, explanation),
    isDateTime: (value: unknown) => DateTime.isDateTime(value),
    min: (...dates: DateTime[]) => DateTime.min(...dates),
    max: (...dates: DateTime[]) => DateTime.max(...dates),
  };
  allow(...Object.values(statics));
  for (const name of Object.getOwnPropertyNames(DateTime))
    if (/^[A-Z_]+$/.test(name)) statics[name] = (DateTime as unknown as Options)[name];
  Object.defineProperty(statics, Symbol.hasInstance, { value: (value: unknown) => DateTime.isDateTime(value) });
  return statics;
}

/** The same with the given moment as the present. */
export function dateTimeAt(zone: string, now: number): object {
  const nowIn = (options?: object): DateTime => DateTime.fromMillis(now, { zone, ...options });
  // `local` takes up to seven numbers and, last, options.
  const local = (...args: unknown[]): DateTime => {
    const last = args.at(-1);
    const options = typeof last === 'object' && last !== null ? last : undefined;
    const numbers = options ? args.slice(0, -1) : args;
    return numbers.length === 0 ? nowIn(options) : (DateTime.local as (...args: unknown[]) => DateTime)(...numbers, { zone, ...options });
  };
  const present = { now: () => nowIn(), local };
  allow(present.now, present.local);
  return Object.assign(Object.create(zonedLuxon(zone).DateTime) as object, present);
}

function durationClass(): object {
  const statics = {
    fromMillis: (count: number, options?: Options) => Duration.fromMillis(count, options),
    fromObject: (fields: Options, options?: Options) => Duration.fromObject(fields, options),
    fromISO: (text: string, options?: Options) => Duration.fromISO(text, options),
    fromISOTime: (text: string, options?: Options) => Duration.fromISOTime(text, options),
    invalid: (reason: string, explanation?: string) => Duration.invalid(reason, explanation),
    isDuration: (value: unknown) => Duration.isDuration(value),
  };
  allow(...Object.values(statics));
  Object.defineProperty(statics, Symbol.hasInstance, { value: (value: unknown) => Duration.isDuration(value) });
  return statics;
}

function intervalIn(zone: string): object {
  const statics = {
    fromDateTimes: (start: DateTime, end: DateTime) => Interval.fromDateTimes(start, end),
    after: (start: DateTime, duration: Duration) => Interval.after(start, duration),
    before: (end: DateTime, duration: Duration) => Interval.before(end, duration),
    fromISO: (text: string, options?: Options) => Interval.fromISO(text, { zone, ...options }),
    isInterval: (value: unknown) => Interval.isInterval(value),
    invalid: (reason: string, explanation?: string) => Interval.invalid(reason, explanation),
  };
  allow(...Object.values(statics));
  Object.defineProperty(statics, Symbol.hasInstance, { value: (value: unknown) => Interval.isInterval(value) });
  return statics;
}

// Not the ones that make lists of a length their arguments choose (splitBy, divideEqually, …): those go to the sandbox.
const INTERVAL_METHODS = new Set(
  `
  abutsEnd abutsStart contains count difference engulfs equals hasSame intersection isAfter isBefore isEmpty length
  overlaps set toDuration toFormat toISO toISODate toISOTime toLocaleString toString union
`
    .trim()
    .split(/\s+/),
);
const methodsOf = (prototype: object): Set<string> =>
  new Set(Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor'));

allowMethods({ matches: (receiver) => DateTime.isDateTime(receiver), methods: methodsOf(DateTime.prototype) });
allowMethods({ matches: (receiver) => Duration.isDuration(receiver), methods: methodsOf(Duration.prototype) });
allowMethods({ matches: (receiver) => Interval.isInterval(receiver), methods: INTERVAL_METHODS });

/**
 * Methods that would look at luxon's default zone or at the clock: `toLocal`, the zone names `local` and `default`, and
 * what is relative to now. Undefined: luxon's own meaning is right.
 */
export function pinnedMethod(receiver: unknown, name: string, args: readonly unknown[], zone: string, now: number): unknown {
  if (!PINNED.has(name) || !DateTime.isDateTime(receiver)) return undefined;
  const [first, second] = args as [never?, never?];
  switch (name) {
    case 'toLocal':
      return receiver.setZone(zone);
    case 'setZone':
      return first === 'local' || first === 'default' || first === 'system' ? receiver.setZone(zone, second) : undefined;
    case 'diffNow':
      return receiver.diff(DateTime.fromMillis(now, { zone }), first, second);
    case 'toRelative':
      return receiver.toRelative({ base: DateTime.fromMillis(now, { zone }), ...(first as Options | undefined) });
    default:
      return receiver.toRelativeCalendar({ base: DateTime.fromMillis(now, { zone }), ...(first as Options | undefined) });
  }
}

const PINNED = new Set(['toLocal', 'setZone', 'diffNow', 'toRelative', 'toRelativeCalendar']);
