import { DateTime, type DateTimeUnit, type DurationUnit } from 'luxon';
import type { Item, Json, JsonObject } from '@app/engine';
import { describeNode } from '../description.ts';
import { eachItem } from '../each-item.ts';
import { emit } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import type { NodeType } from '../node-type.ts';
import { commaList } from '../values/guards.ts';
import { dateTimeProperties, outputFields } from './date-time-properties.ts';
import { parseDate } from './parse-date.ts';

/** Computes with dates, one operation per node. */
export const dateTime: NodeType = {
  description: describeNode({ name: 'dateTime', displayName: 'Date & Time', versions: [2], properties: dateTimeProperties }),
  run: (context) => emit(eachItem(context, context.items(), (item, index) => computed(context, item, index))),
};

function computed(context: NodeContext, item: Item, index: number): Item {
  const operation = context.parameter<string>('operation', index, 'getCurrentDate');
  const compute = Object.hasOwn(operations, operation) ? operations[operation]! : null;
  if (!compute) {
    throw new NodeError(`Unknown operation "${operation}" of Date & Time. Use one of ${Object.keys(operations).join(', ')}.`, {
      itemIndex: index,
      retryable: false,
    });
  }
  const options = context.parameter<JsonObject>('options', index, {});
  const field = context.parameter<string>('outputFieldName', index, outputFields[operation]);
  const value = compute({ context, index, options });
  return {
    json: { ...(options['includeInputFields'] === true ? item.json : {}), [field]: value },
    pairedItem: { item: index },
  };
}

interface Computation {
  readonly context: NodeContext;
  readonly index: number;
  readonly options: JsonObject;
}

type Operation = (computation: Computation) => Json;

const operations: { readonly [name: string]: Operation } = {
  getCurrentDate: ({ context, index, options }) => {
    const zone = typeof options['timezone'] === 'string' && options['timezone'] !== '' ? options['timezone'] : context.workflow.timezone;
    const now = DateTime.fromMillis(context.now(), { zone });
    return iso(context.parameter('includeTime', index, true) === false ? now.startOf('day') : now);
  },
  addToDate: (computation) => shifted(computation, 1),
  subtractFromDate: (computation) => shifted(computation, -1),
  formatDate: formatted,
  roundDate: (computation) => {
    const { context, index } = computation;
    const moment = dateOf(computation, 'date');
    const isUp = context.parameter('mode', index, 'roundDown') === 'roundUp';
    const unit = context.parameter<DateTimeUnit>(isUp ? 'to' : 'toNearest', index, 'month');
    return iso(isUp ? moment.plus({ [unit]: 1 }).startOf(unit) : moment.startOf(unit));
  },
  getTimeBetweenDates: (computation) => {
    const { context, index, options } = computation;
    const units = commaList(context.parameter<Json>('units', index, ['day'])) as DurationUnit[];
    const duration = dateOf(computation, 'endDate').diff(dateOf(computation, 'startDate'), units);
    return options['isoString'] === true ? (duration.toISO() ?? '') : (duration.toObject() as JsonObject);
  },
  extractDate: (computation) => {
    const part = computation.context.parameter<string>('part', computation.index, 'month');
    const moment = dateOf(computation, 'date');
    return part === 'week' ? moment.weekNumber : moment.get(part as 'month');
  },
};

function dateOf({ context, index, options }: Computation, parameter: string): DateTime {
  const format = typeof options['fromFormat'] === 'string' ? options['fromFormat'] : undefined;
  return parseDate(context.parameter(parameter, index), context.workflow.timezone, index, format);
}

function shifted(computation: Computation, direction: 1 | -1): Json {
  const { context, index } = computation;
  const unit = context.parameter<DurationUnit>('timeUnit', index, 'days');
  const duration = Number(context.parameter('duration', index, 0)) * direction;
  return iso(dateOf(computation, 'magnitude').plus({ [unit]: duration }));
}

/** In UTC, unless the option timezone asks for the zone of the workflow. A missing date stays missing. */
function formatted({ context, index, options }: Computation): Json {
  const value = context.parameter<Json>('date', index);
  if (value === null || value === undefined) return null;
  const zone = options['timezone'] === true ? context.workflow.timezone : 'UTC';
  const fromFormat = typeof options['fromFormat'] === 'string' ? options['fromFormat'] : undefined;
  const moment = parseDate(value, zone, index, fromFormat);
  const format = context.parameter<string>('format', index, 'MM/dd/yyyy');
  return moment.toFormat(format === 'custom' ? context.parameter<string>('customFormat', index, '') : format);
}

const iso = (moment: DateTime): string => moment.toISO() ?? '';
