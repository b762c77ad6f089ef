import { describeNode } from '../description.ts';
import { emitNothing } from '../emit.ts';
import type { NodeType } from '../node-type.ts';
import { anything, number, text } from '../parameters/properties.ts';

export const stickyNote: NodeType = {
  description: describeNode({
    name: 'stickyNote',
    displayName: 'Sticky Note',
    inputs: 0,
    outputs: 0,
    annotation: true,
    properties: [text('content'), number('height', 160), number('width', 240), anything('color', 'json', 1)],
  }),
  run: () => emitNothing,
};
