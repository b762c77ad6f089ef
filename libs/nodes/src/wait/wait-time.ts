import type { Instant, Json } from '@app/engine';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import { toDateTime } from '../values/date.ts';

const unitMs: { readonly [unit: string]: number } = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

/** The last moment that a JavaScript date can be. */
const LAST_INSTANT = 8.64e15;

/** When an interval that starts now is over. */
export function afterInterval(context: NodeContext, amount: Json, unit: Json): Instant {
  const ms = Object.hasOwn(unitMs, String(unit)) ? unitMs[String(unit)]! : null;
  if (ms === null) {
    throw new NodeError("Invalid wait unit. Valid units are 'seconds', 'minutes', 'hours', or 'days'.", { retryable: false });
  }
  const count = typeof amount === 'number' ? amount : amount === '' || amount === null ? Number.NaN : Number(amount);
  if (!Number.isFinite(count) || count < 0) {
    throw new NodeError('Invalid wait amount. Please enter a number that is 0 or greater.', { retryable: false });
  }
  const until = context.now() + Math.round(count * ms);
  if (until > LAST_INSTANT) throw new NodeError(`A wait of ${count} ${String(unit)} ends after the year 275760, which no date can name.`, { retryable: false });
  return until;
}

/** A moment given as a date; without an offset it is meant in the time zone of the workflow. */
export function atMoment(context: NodeContext, value: Json, parameter: string): Instant {
  const moment = toDateTime(value, context.workflow.timezone);
  if (moment) return moment.toMillis();
  throw new NodeError(`[${parameter}] is not a date: "${String(value)}". Give an ISO 8601 text.`, { retryable: false });
}
