import type { Instant, JsonObject } from '@app/engine';
import { describeNode } from '../description.ts';
import { emit } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import type { NodeType } from '../node-type.ts';
import { anything, atLeast, choice, flag, number, settings, text, when } from '../parameters/properties.ts';
import { afterInterval, atMoment } from './wait-time.ts';

const units = ['seconds', 'minutes', 'hours', 'days'];
const called = ['webhook', 'form'];
const limited = { resume: called, limitWaitTime: [true] };

/**
 * Parks its branch until a moment, or until it is called. Keys of the signals: `webhook`, `form`, or `<kind>/<suffix>`
 * with the option webhookSuffix. When a limited wait runs out, the input goes on unchanged.
 */
export const wait: NodeType = {
  description: describeNode({
    name: 'wait',
    displayName: 'Wait',
    versions: [1, 1.1],
    properties: [
      choice('resume', 'timeInterval', ['timeInterval', 'specificTime', ...called]),
      { ...anything('dateTime', 'dateTime', '', when({ resume: ['specificTime'] })), required: true },
      number('amount', 1, when({ resume: ['timeInterval'], '@version': [1] })),
      number('amount', 5, when({ resume: ['timeInterval'], '@version': [atLeast(1.1)] })),
      choice('unit', 'hours', units, when({ resume: ['timeInterval'], '@version': [1] })),
      choice('unit', 'seconds', units, when({ resume: ['timeInterval'], '@version': [atLeast(1.1)] })),
      choice('httpMethod', 'GET', ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'], when({ resume: ['webhook'] })),
      choice('responseMode', 'onReceived', ['onReceived', 'lastNode', 'responseNode'], when({ resume: called })),
      flag('limitWaitTime', false, when({ resume: called })),
      choice('limitType', 'afterTimeInterval', ['afterTimeInterval', 'atSpecifiedTime'], when(limited)),
      number('resumeAmount', 1, when({ ...limited, limitType: ['afterTimeInterval'] })),
      choice('resumeUnit', 'hours', units, when({ ...limited, limitType: ['afterTimeInterval'] })),
      anything('maxDateAndTime', 'dateTime', '', when({ ...limited, limitType: ['atSpecifiedTime'] })),
      settings([text('webhookSuffix')], when({ resume: called })),
    ],
  }),
  run: (context) => {
    context.signal.throwIfAborted();
    const resume = context.parameter<string>('resume', 0, 'timeInterval');
    if (called.includes(resume)) {
      return { kind: 'suspend', wait: 'callback', key: signalKey(context, resume), until: timeLimit(context) };
    }
    const until = endOfWait(context, resume);
    return until <= context.now() ? emit(context.items()) : { kind: 'suspend', wait: 'time', key: 'time', until };
  },
};

function endOfWait(context: NodeContext, resume: string): Instant {
  if (resume === 'timeInterval') return afterInterval(context, context.parameter('amount', 0), context.parameter('unit', 0));
  if (resume === 'specificTime') return atMoment(context, context.parameter('dateTime', 0), 'dateTime');
  throw new NodeError(`The parameter resume has the unknown value "${resume}". Use timeInterval, specificTime, webhook or form.`, {
    retryable: false,
  });
}

function signalKey(context: NodeContext, resume: string): string {
  const suffix = String(context.parameter<JsonObject>('options', 0, {})['webhookSuffix'] ?? '').replace(/^\/+/, '');
  return suffix === '' ? resume : `${resume}/${suffix}`;
}

function timeLimit(context: NodeContext): Instant | null {
  if (context.parameter('limitWaitTime', 0, false) !== true) return null;
  return context.parameter('limitType', 0, 'afterTimeInterval') === 'atSpecifiedTime'
    ? atMoment(context, context.parameter('maxDateAndTime', 0), 'maxDateAndTime')
    : afterInterval(context, context.parameter('resumeAmount', 0, 1), context.parameter('resumeUnit', 0, 'hours'));
}
