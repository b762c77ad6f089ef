import { describeNode } from '../description.ts';
import { emitNothing } from '../emit.ts';
import type { NodeType } from '../node-type.ts';

export const stickyNote: NodeType = {
  description: describeNode({
    name: 'stickyNote',
    displayName: 'Sticky Note',
    inputs: 0,
    outputs: 0,
    annotation: true,
  }),
  run: () => emitNothing,
};
