import { describeNode } from '../description.ts';
import { emit } from '../emit.ts';
import { NodeError } from '../node-error.ts';
import type { NodeType } from '../node-type.ts';
import { choice, number } from '../parameters/properties.ts';

/** Lets only so many items through, from the start or the end. */
export const limit: NodeType = {
  description: describeNode({
    name: 'limit',
    displayName: 'Limit',
    properties: [number('maxItems', 1), choice('keep', 'firstItems', ['firstItems', 'lastItems'])],
  }),
  run: (context) => {
    context.signal.throwIfAborted();
    const input = context.items();
    const max = Number(context.parameter('maxItems', 0, 1));
    if (Number.isNaN(max)) throw new NodeError('The parameter maxItems has to be a number.', { retryable: false });
    if (max >= input.length) return emit(input);
    return emit(context.parameter('keep', 0, 'firstItems') === 'lastItems' ? input.slice(input.length - max) : input.slice(0, max));
  },
};
