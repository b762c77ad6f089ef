import type { Json } from '@app/engine';
import { describeNode } from '../description.ts';
import { NodeError } from '../node-error.ts';
import type { NodeType } from '../node-type.ts';
import { anything, choice, text, when } from '../parameters/properties.ts';
import { lenientJson } from '../values/convert.ts';
import { isRecord } from '../values/guards.ts';

/** Fails on purpose, with the message or the object its author chose. */
export const stopAndError: NodeType = {
  description: describeNode({
    name: 'stopAndError',
    displayName: 'Stop and Error',
    outputs: 0,
    properties: [
      choice('errorType', 'errorMessage', ['errorMessage', 'errorObject']),
      { ...text('errorMessage', '', when({ errorType: ['errorMessage'] })), required: true },
      { ...anything('errorObject', 'json', '', when({ errorType: ['errorObject'] })), required: true },
    ],
  }),
  run: (context) => {
    context.signal.throwIfAborted();
    if (context.parameter('errorType', 0, 'errorMessage') !== 'errorObject') {
      throw new NodeError(String(context.parameter('errorMessage', 0, '')), { code: 'stopped_on_purpose' });
    }
    const given = context.parameter<Json>('errorObject', 0, {});
    const object = typeof given === 'string' ? lenientJson(given) : given;
    if (!isRecord(object)) throw new NodeError('The parameter errorObject is not a JSON object.', { retryable: false });
    throw new NodeError(messageIn(object), {
      code: 'stopped_on_purpose',
      context: { errorObject: object },
      ...(typeof object['description'] === 'string' ? { description: object['description'] } : {}),
    });
  },
};

function messageIn(object: { readonly [key: string]: Json }): string {
  const text = object['message'] || object['description'] || object['error'];
  return text ? String(text) : `Error: ${JSON.stringify(object)}`;
}
