import type { Item, Json, JsonObject } from '@app/engine';
import { describeNode } from '../description.ts';
import { emit, emptyOutputs } from '../emit.ts';
import { errorItem } from '../each-item.ts';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import type { ChildCall, ChildEnd, NodeResult } from '../node-result.ts';
import type { NodeType } from '../node-type.ts';
import { anything, atLeast, choice, flag, settings, text, when } from '../parameters/properties.ts';
import { isRecord } from '../values/guards.ts';

/** Starts other workflows, once with all items or once per item, and puts out what they end with. */
export const executeWorkflow: NodeType = {
  description: describeNode({
    name: 'executeWorkflow',
    displayName: 'Execute Sub-workflow',
    versions: [1, 1.1, 1.2, 1.3],
    properties: [
      choice('operation', 'call_workflow', ['call_workflow']),
      choice('source', 'database', ['database', 'localFile', 'parameter', 'url']),
      { ...text('workflowId', '', when({ source: ['database'], '@version': [1] })), required: true },
      { ...anything('workflowId', 'resourceLocator', '', when({ source: ['database'], '@version': [atLeast(1.1)] })), required: true },
      { ...anything('workflowJson', 'json', '\n\n\n', when({ source: ['parameter'] })), required: true },
      anything('workflowInputs', 'resourceMapper', {}, when({ source: ['database'], '@version': [atLeast(1.2)] })),
      choice('mode', 'once', ['once', 'each']),
      settings([flag('waitForSubWorkflow', true)]),
    ],
  }),
  run: (context) => {
    context.signal.throwIfAborted();
    if (!context.children) return call(context);
    return context.parameter('mode', 0, 'once') === 'each' ? resultOfEach(context, context.children) : resultOfOnce(context, context.children);
  },
};

function call(context: NodeContext): NodeResult {
  const items = context.items().map((item, index) => passedItem(context, item, index));
  const isEach = context.parameter('mode', 0, 'once') === 'each';
  const calls: ChildCall[] = isEach
    ? items.map((item, index) => ({ workflow: calledWorkflow(context, index), items: [item] }))
    : [{ workflow: calledWorkflow(context, 0), items }];
  const options = context.parameter<JsonObject>('options', 0, {});
  return { kind: 'call', calls, wait: options['waitForSubWorkflow'] !== false };
}

function calledWorkflow(context: NodeContext, index: number): ChildCall['workflow'] {
  const source = context.parameter('source', index, 'database');
  if (source === 'database') return { id: workflowId(context.parameter<Json>('workflowId', index, ''), index) };
  if (source === 'parameter') return { document: workflowDocument(context.parameter<Json>('workflowJson', index, ''), index) };
  throw new NodeError(`The source "${String(source)}" is not supported. Store the workflow and call it by its id.`, {
    itemIndex: index,
    code: 'unsupported_parameter',
    retryable: false,
  });
}

function workflowId(given: Json, itemIndex: number): string {
  const id = isRecord(given) ? given['value'] : given;
  if (typeof id === 'string' && id !== '') return id;
  if (typeof id === 'number') return String(id);
  throw new NodeError('No workflow is chosen. Set the parameter workflowId.', { itemIndex, retryable: false });
}

function workflowDocument(given: Json, itemIndex: number): JsonObject {
  try {
    const document: unknown = typeof given === 'string' ? JSON.parse(given) : given;
    if (isRecord(document)) return document;
  } catch (cause) {
    throw new NodeError(`The workflow JSON cannot be read: ${String((cause as Error).message)}`, { itemIndex, retryable: false, cause });
  }
  throw new NodeError('The workflow JSON is not an object with nodes and connections.', { itemIndex, retryable: false });
}

/** With inputs defined on the node, the called workflow gets those fields instead of the item's. */
function passedItem(context: NodeContext, item: Item, index: number): Item {
  const mapping = context.parameter<Json>('workflowInputs', index, {});
  if (!isRecord(mapping) || mapping['mappingMode'] !== 'defineBelow') return item;
  const value = mapping['value'];
  return isRecord(value) && Object.keys(value).length > 0 ? { ...item, json: value } : item;
}

function resultOfOnce(context: NodeContext, [child]: readonly ChildEnd[]): NodeResult {
  const everyItem = context.items().map((_, item) => ({ item }));
  if (!child) return emit([]);
  if (child.status !== 'success') {
    const error = failureOf(child);
    if (!context.continueOnFail) throw error;
    return emit([{ json: { error: error.message }, pairedItem: everyItem }]);
  }
  return emit(...child.outputs.map((items) => items && items.map((item) => ({ ...item, pairedItem: item.pairedItem ?? everyItem }))));
}

function resultOfEach(context: NodeContext, children: readonly ChildEnd[]): NodeResult {
  const outputs = emptyOutputs(1);
  const push = (output: number, item: Item): void => void (outputs[output] ??= []).push(item);
  children.forEach((child, index) => {
    if (child.status !== 'success') {
      const error = failureOf(child, index);
      if (!context.continueOnFail) throw error;
      // n8n takes the index of the item for the output, and workflows of its dialect are answered alike.
      push(index, errorItem(error, index));
      return;
    }
    child.outputs.forEach((items, output) => items?.forEach((item) => push(output, { ...item, pairedItem: { item: index } })));
  });
  return emit(...Array.from(outputs, (items) => items ?? []));
}

const failureOf = (child: ChildEnd, itemIndex?: number): NodeError =>
  new NodeError(child.error?.message ?? (child.status === 'canceled' ? 'The called workflow was canceled' : 'The called workflow failed'), {
    ...(itemIndex === undefined ? {} : { itemIndex }),
    code: 'child_failed',
    context: { executionId: child.executionId, workflowId: child.workflowId },
  });
