import type { Item, JsonObject } from '@app/engine';
import { codeFailure } from '../code/code-failure.ts';
import { describeNode } from '../description.ts';
import { errorItem } from '../each-item.ts';
import { emit } from '../emit.ts';
import type { CodeResult } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import type { NodeType } from '../node-type.ts';
import { text } from '../parameters/properties.ts';

/** Code for each item, where `item` is the json of the item; what it returns becomes the new json. */
export const functionItem: NodeType = {
  description: describeNode({
    name: 'functionItem',
    displayName: 'Function Item',
    properties: [text('functionCode', 'return item;')],
  }),
  run: async (context) => {
    context.signal.throwIfAborted();
    const input = context.items();
    const { results, logs } = await context.runCode({ code: context.rawParameter<string>('functionCode', ''), mode: 'legacyItem' });
    logs.forEach((line) => context.log('info', line));
    return emit(
      results.map((result, index) => {
        try {
          return changedItem(input[index], result, index);
        } catch (error) {
          if (!context.continueOnFail) throw error;
          return errorItem(error, index);
        }
      }),
    );
  },
};

function changedItem(item: Item | undefined, result: CodeResult['results'][number], index: number): Item {
  if (result.error) throw codeFailure(result.error, index);
  if (result.value === undefined || result.value === null) {
    throw new NodeError('No data got returned. Always an object has to be returned!', { itemIndex: index, retryable: false });
  }
  // Not checked to be an object: old workflows return lists here and rely on it.
  const changed: Item = { json: result.value as JsonObject, pairedItem: { item: index } };
  if (item?.binary) changed.binary = item.binary;
  return changed;
}
