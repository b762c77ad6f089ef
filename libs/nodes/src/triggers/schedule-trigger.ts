import { DateTime } from 'luxon';
import type { Instant, Item } from '@app/engine';
import { describeNode } from '../description.ts';
import { emit } from '../emit.ts';
import type { NodeType } from '../node-type.ts';
import { anything, choice, entries, number, settings, text } from '../parameters/properties.ts';

/** Production runs are started with the item of their tick; a manual run makes one of the present moment. */
export const scheduleTrigger: NodeType = {
  description: describeNode({
    name: 'scheduleTrigger',
    displayName: 'Schedule Trigger',
    versions: [1, 1.1, 1.2, 1.3, 1.4],
    trigger: 'active',
    inputs: 0,
    properties: [
      entries('rule', 'interval', [
        choice('field', 'days', ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months', 'cronExpression']),
        number('secondsInterval', 30),
        number('minutesInterval', 5),
        number('hoursInterval', 1),
        number('daysInterval', 1),
        number('weeksInterval', 1),
        number('monthsInterval', 1),
        number('triggerAtDayOfMonth', 1),
        anything('triggerAtDay', 'multiOptions', [0]),
        anything('triggerAtHour', 'json', undefined),
        anything('triggerAtMinute', 'json', undefined),
        text('expression'),
      ]),
      settings([choice('misfirePolicy', 'coalesce', ['coalesce', 'coalesce_owner', 'skip']), number('misfireGraceSeconds', 0)]),
    ],
  }),
  run: (context) => {
    context.signal.throwIfAborted();
    if (context.execution.mode !== 'manual') return emit(context.items());
    return emit([tickItem(context.now(), context.workflow.timezone)]);
  },
};

/** The item of a tick, as expressions behind a schedule read it. */
export function tickItem(at: Instant, timezone: string): Item {
  const moment = DateTime.fromMillis(at, { zone: timezone, locale: 'en-US' });
  const day = `${moment.day}${ordinalSuffix(moment.day)}`;
  const time = moment.toFormat('h:mm:ss a').toLowerCase();
  return {
    json: {
      timestamp: moment.toFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZZ"),
      'Readable date': `${moment.toFormat('MMMM')} ${day} ${moment.year}, ${time}`,
      'Readable time': time,
      'Day of week': moment.toFormat('cccc'),
      Year: moment.toFormat('yyyy'),
      Month: moment.toFormat('MMMM'),
      'Day of month': moment.toFormat('dd'),
      Hour: moment.toFormat('HH'),
      Minute: moment.toFormat('mm'),
      Second: moment.toFormat('ss'),
      Timezone: `${timezone} (UTC${moment.toFormat('ZZ')})`,
    },
  };
}

function ordinalSuffix(day: number): string {
  if (day >= 11 && day <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}
