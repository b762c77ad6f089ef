import type { Json } from '@app/engine';
import { describeNode } from '../description.ts';
import { emit } from '../emit.ts';
import type { NodeType } from '../node-type.ts';
import { choice, entries, text } from '../parameters/properties.ts';
import { textOf } from '../values/convert.ts';
import { isList, isRecord } from '../values/guards.ts';

/** Tags the execution with values that can be searched for; the items pass through. */
export const executionData: NodeType = {
  description: describeNode({
    name: 'executionData',
    displayName: 'Execution Data',
    versions: [1, 1.1],
    properties: [choice('operation', 'save', ['save']), entries('dataToSave', 'values', [text('key'), text('value')])],
  }),
  run: (context) => {
    const items = context.items();
    items.forEach((_, index) => {
      context.signal.throwIfAborted();
      const values = context.parameter<Json>('dataToSave.values', index, []);
      for (const entry of isList(values) ? values.filter(isRecord) : []) {
        context.setCustomData(textOf(entry['key'] ?? '').slice(0, 50), textOf(entry['value'] ?? '').slice(0, 512));
      }
    });
    return emit(items);
  },
};
