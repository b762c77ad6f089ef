import { describeNode } from '../description.ts';
import { emit } from '../emit.ts';
import type { NodeType } from '../node-type.ts';

/** Passes its items through: a place to join or end branches. */
export const noOp: NodeType = {
  description: describeNode({ name: 'noOp', displayName: 'No Operation, do nothing' }),
  run: (context) => {
    context.signal.throwIfAborted();
    return emit(context.items());
  },
};
