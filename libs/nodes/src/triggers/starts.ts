import { choice, entries, flag, number, settings, text, anything } from '../parameters/properties.ts';
import { isList } from '../values/guards.ts';
import { plainStart } from './plain-start.ts';

export const manualTrigger = plainStart({ name: 'manualTrigger', displayName: 'Manual Trigger', trigger: 'manual' });

export const start = plainStart({ name: 'start', displayName: 'Start', trigger: 'manual' });

/** Started with what is known about a failed execution: n8n-engine.md §14. */
export const errorTrigger = plainStart({ name: 'errorTrigger', displayName: 'Error Trigger' });

export const formTrigger = plainStart({
  name: 'formTrigger',
  displayName: 'Form Trigger',
  versions: [1, 2, 2.1, 2.2, 2.3, 2.4, 2.5],
  properties: [
    text('path'),
    text('formTitle'),
    text('formDescription'),
    anything('formFields', 'json', {}),
    choice('responseMode', 'onReceived', ['onReceived', 'lastNode', 'responseNode']),
    anything('options', 'json', {}),
  ],
});

/** With a list of methods there is one output per method. */
export const webhook = plainStart({
  name: 'webhook',
  displayName: 'Webhook',
  versions: [1, 1.1, 2, 2.1],
  outputs: (_, parameters) => (isList(parameters['httpMethod']) ? Math.max(1, parameters['httpMethod'].length) : 1),
  properties: [
    flag('multipleMethods', false),
    anything('httpMethod', 'json', 'GET'),
    text('path'),
    choice('authentication', 'none', ['none', 'basicAuth', 'headerAuth', 'jwtAuth']),
    choice('responseMode', 'onReceived', ['onReceived', 'lastNode', 'responseNode', 'streaming']),
    number('responseCode', 200),
    choice('responseData', 'firstEntryJson', ['allEntries', 'firstEntryJson', 'firstEntryBinary', 'noData']),
    text('responseBinaryPropertyName', 'data'),
    anything('options', 'json', {}),
  ],
});

export const interval = plainStart({
  name: 'interval',
  displayName: 'Interval',
  trigger: 'active',
  properties: [number('interval', 1), choice('unit', 'seconds', ['seconds', 'minutes', 'hours'])],
});

export const cron = plainStart({
  name: 'cron',
  displayName: 'Cron',
  trigger: 'active',
  properties: [
    entries('triggerTimes', 'item', [
      choice('mode', 'everyDay', ['everyMinute', 'everyHour', 'everyDay', 'everyWeek', 'everyMonth', 'everyX', 'custom']),
      number('hour', 14),
      number('minute', 0),
      number('dayOfMonth', 1),
      text('weekday', '1'),
      text('cronExpression', '* * * * * *'),
      number('value', 2),
      choice('unit', 'hours', ['minutes', 'hours']),
    ]),
    settings([]),
  ],
});
