import { DateTime } from 'luxon';

/**
 * Reads a moment from what workflows call a date: ISO 8601, HTTP, RFC 2822 and SQL notation, anything `Date` accepts,
 * milliseconds as a number, and date objects. Text without an offset is meant in `zone`. null: no date.
 */
export function toDateTime(value: unknown, zone: string): DateTime | null {
  if (DateTime.isDateTime(value)) return valid(value);
  if (value instanceof Date) return valid(DateTime.fromJSDate(value, { zone }));
  if (typeof value === 'number') return valid(DateTime.fromMillis(value, { zone }));
  const text = String(value ?? '').trim();
  if (text === '') return null;
  const options = { zone, setZone: true };
  return (
    valid(DateTime.fromISO(text, options)) ??
    valid(DateTime.fromHTTP(text, options)) ??
    valid(DateTime.fromRFC2822(text, options)) ??
    valid(DateTime.fromSQL(text, options)) ??
    valid(DateTime.fromMillis(Date.parse(text), { zone }))
  );
}

const valid = (moment: DateTime): DateTime | null => (moment.isValid ? moment : null);
