import type { NodeDescription } from '@app/engine';
import { describeNode } from '../description.ts';
import { emit } from '../emit.ts';
import type { NodeType } from '../node-type.ts';

interface PlainStart extends Partial<Pick<NodeDescription, 'versions' | 'properties' | 'trigger'>> {
  readonly name: string;
  readonly displayName: string;
  readonly outputs?: Parameters<typeof describeNode>[0]['outputs'];
}

/** A node that begins executions and then hands on what it was started with. */
export const plainStart = (given: PlainStart): NodeType => ({
  description: describeNode({ trigger: 'passive', ...given, inputs: 0 }),
  run: (context) => {
    context.signal.throwIfAborted();
    return emit(context.items());
  },
});
