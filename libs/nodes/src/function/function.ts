import type { Item, Json } from '@app/engine';
import { codeFailure } from '../code/code-failure.ts';
import { describeNode } from '../description.ts';
import { emit } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import { messageOf, NodeError } from '../node-error.ts';
import type { NodeType } from '../node-type.ts';
import { text } from '../parameters/properties.ts';
import { isList, isRecord } from '../values/guards.ts';

/** The predecessor of Code: `items` in, a list of items out. Pairing is left to the engine. */
export const functionNode: NodeType = {
  description: describeNode({
    name: 'function',
    displayName: 'Function',
    properties: [text('functionCode', 'return items;')],
  }),
  run: async (context) => {
    context.signal.throwIfAborted();
    const { results, logs } = await context.runCode({ code: context.rawParameter<string>('functionCode', ''), mode: 'legacy' });
    logs.forEach((line) => context.log('info', line));
    const result = results[0] ?? {};
    return emit(
      guarded(context, () => {
        if (result.error) throw codeFailure(result.error);
        return itemsOf(result.value);
      }),
    );
  },
};

function guarded(context: NodeContext, work: () => Item[]): Item[] {
  try {
    return work();
  } catch (error) {
    if (!context.continueOnFail) throw error;
    return [{ json: { error: messageOf(error) } }];
  }
}

function itemsOf(value: Json): Item[] {
  if (value === undefined || value === null) throw wrong('No data got returned. Always return an Array of items!');
  if (!isList(value)) throw wrong('Always an Array of items has to be returned!');
  return value.map((each) => {
    if (!isRecord(each)) throw wrong('Every returned item has to be an object.');
    if (each['json'] === undefined) return { json: each };
    if (!isRecord(each['json'])) throw wrong('The json-property of a returned item has to be an object.');
    return each as unknown as Item;
  });
}

const wrong = (message: string): NodeError => new NodeError(message, { retryable: false });
