import type { DateTime } from 'luxon';
import type { Item, JsonObject } from '@app/engine';
import { describeNode } from '../description.ts';
import { eachItem } from '../each-item.ts';
import { emit } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import type { NodeType } from '../node-type.ts';
import { anything, choice, flag, number, settings, text, when } from '../parameters/properties.ts';
import { luxonFormat } from './moment-format.ts';
import { parseDate } from './parse-date.ts';

const format = when({ action: ['format'] });
const calculate = when({ action: ['calculate'] });

/** Version 1: a date in another format, or moved in time; formats are written with moment's tokens. */
export const dateTimeV1: NodeType = {
  description: describeNode({
    name: 'dateTime',
    displayName: 'Date & Time',
    properties: [
      choice('action', 'format', ['format', 'calculate']),
      { ...anything('value', 'dateTime', ''), required: true },
      choice('operation', 'add', ['add', 'subtract'], calculate),
      number('duration', 0, calculate),
      choice('timeUnit', 'days', ['quarters', 'years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds', 'milliseconds'], calculate),
      text('dataPropertyName', 'data'),
      flag('custom', false, format),
      text('toFormat', 'MM/DD/YYYY', format),
      settings([text('fromFormat'), text('fromTimezone'), text('toTimezone')]),
    ],
  }),
  run: (context) => emit(eachItem(context, context.items(), (item, index) => computed(context, item, index))),
};

function computed(context: NodeContext, item: Item, index: number): Item {
  const options = context.parameter<JsonObject>('options', index, {});
  const zone = String(options['fromTimezone'] || context.workflow.timezone);
  const given = options['fromFormat'] ? luxonFormat(String(options['fromFormat'])) : undefined;
  const moment = parseDate(context.parameter('value', index), zone, index, given);
  const field = context.parameter<string>('dataPropertyName', index, 'data');
  const value = context.parameter('action', index, 'format') === 'calculate' ? moved(context, moment, index) : written(context, moment, options, index);
  // The name is a plain key here, dots and all.
  return { ...item, json: { ...item.json, [field]: value }, pairedItem: { item: index } };
}

function moved(context: NodeContext, moment: DateTime, index: number): string {
  const sign = context.parameter('operation', index, 'add') === 'subtract' ? -1 : 1;
  const duration = { [context.parameter<string>('timeUnit', index, 'days')]: sign * Number(context.parameter('duration', index, 0)) };
  return moment.plus(duration).toUTC().toISO() ?? '';
}

function written(context: NodeContext, moment: DateTime, options: JsonObject, index: number): string {
  const zone = String(options['toTimezone'] || context.workflow.timezone);
  return moment.setZone(zone).toFormat(luxonFormat(context.parameter<string>('toFormat', index, '')));
}
