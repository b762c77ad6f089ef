import type { Item } from '@app/engine';
import { describeNode } from '../description.ts';
import { errorItem } from '../each-item.ts';
import { emit } from '../emit.ts';
import type { CodeResult, NodeContext } from '../node-context.ts';
import { messageOf, NodeError } from '../node-error.ts';
import type { NodeType } from '../node-type.ts';
import { choice, text, when } from '../parameters/properties.ts';
import { codeFailure } from './code-failure.ts';
import { returnedItem, returnedItems } from './returned-items.ts';

/** Runs the author's JavaScript in the sandbox, once for all items or once for each. */
export const code: NodeType = {
  description: describeNode({
    name: 'code',
    displayName: 'Code',
    versions: [1, 2],
    properties: [
      choice('mode', 'runOnceForAllItems', ['runOnceForAllItems', 'runOnceForEachItem']),
      choice('language', 'javaScript', ['javaScript', 'python', 'pythonNative'], when({ '@version': [2] })),
      text('jsCode', '', when({ '@version': [1] })),
      text('jsCode', '', when({ '@version': [2], language: ['javaScript'] })),
      text('pythonCode', '', when({ '@version': [2], language: ['python', 'pythonNative'] })),
    ],
  }),
  run: async (context) => {
    context.signal.throwIfAborted();
    if (context.rawParameter('language', 'javaScript') !== 'javaScript') throw onlyJavaScript();
    const source = context.rawParameter<string>('jsCode', '');
    return emit(
      context.rawParameter('mode', '') === 'runOnceForEachItem' ? await eachOf(context, source) : await allOf(context, source),
    );
  },
};

const onlyJavaScript = (): NodeError =>
  new NodeError('Code in Python is not supported. Set the language to JavaScript and translate the code.', {
    code: 'unsupported_parameter',
    retryable: false,
  });

async function allOf(context: NodeContext, source: string): Promise<Item[]> {
  const { results, logs } = await context.runCode({ code: source, mode: 'all' });
  report(context, logs);
  try {
    const result = results[0] ?? {};
    if (result.error) throw codeFailure(result.error);
    return returnedItems(result.value);
  } catch (error) {
    if (!context.continueOnFail) throw error;
    // Without pairing: the error belongs to all items.
    return [{ json: { error: messageOf(error) } }];
  }
}

async function eachOf(context: NodeContext, source: string): Promise<Item[]> {
  const { results, logs } = await context.runCode({ code: source, mode: 'each' });
  report(context, logs);
  return results.flatMap((result, index) => {
    try {
      return itemOf(result, index) ?? [];
    } catch (error) {
      if (!context.continueOnFail) throw error;
      return errorItem(error, index);
    }
  });
}

function itemOf(result: CodeResult['results'][number], index: number): Item | null {
  if (result.error) throw codeFailure(result.error, index);
  return returnedItem(result.value, index);
}

const report = (context: NodeContext, logs: readonly string[]): void => logs.forEach((line) => context.log('info', line));
