import type { Json, JsonObject } from '@app/engine';
import { describeNode } from '../description.ts';
import { emit } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import type { NodeType } from '../node-type.ts';
import { anything, atLeast, choice, entries, text, when } from '../parameters/properties.ts';
import { lenientJson } from '../values/convert.ts';
import { isList, isRecord } from '../values/guards.ts';

const passthrough = 'passthrough';

/** Where a workflow begins that another one calls. With a declared input only its fields come in; missing ones are null. */
export const executeWorkflowTrigger: NodeType = {
  description: describeNode({
    name: 'executeWorkflowTrigger',
    displayName: 'When Executed by Another Workflow',
    versions: [1, 1.1, 1.2],
    trigger: 'passive',
    inputs: 0,
    properties: [
      choice('inputSource', 'workflowInputs', ['workflowInputs', 'jsonExample', passthrough], when({ '@version': [atLeast(1.1)] })),
      anything('jsonExample', 'json', '{}', when({ inputSource: ['jsonExample'] })),
      entries('workflowInputs', 'values', [text('name'), text('type', 'string')], when({ inputSource: ['workflowInputs'] })),
      // Read by whoever collects the result of the called workflow: all runs of its last node, or the last one.
      choice('returnOutput', 'lastRun', ['lastRun', 'allRuns'], when({ '@version': [1, 1.1] })),
      choice('returnOutput', 'allRuns', ['lastRun', 'allRuns'], when({ '@version': [atLeast(1.2)] })),
    ],
  }),
  run: (context) => {
    context.signal.throwIfAborted();
    const names = declaredFields(context);
    if (!names) return emit(context.items());
    return emit(context.items().map((item) => ({ ...item, json: onlyDeclared(item.json, names) })));
  },
};

function declaredFields(context: NodeContext): string[] | null {
  const source = context.parameter('inputSource', 0, passthrough);
  if (context.node.version === 1 || source === passthrough) return null;
  if (source === 'workflowInputs') {
    const values = context.parameter<Json>('workflowInputs.values', 0, []);
    const names = (isList(values) ? values.filter(isRecord) : []).map((field) => String(field['name'] ?? '')).filter(Boolean);
    return names.length > 0 ? names : null;
  }
  const given = context.parameter<Json>('jsonExample', 0, {});
  const example = typeof given === 'string' ? lenientJson(given) : given;
  if (isRecord(example)) return Object.keys(example);
  throw new NodeError('The JSON example of the trigger is not a JSON object.', { retryable: false });
}

const onlyDeclared = (json: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, json[name] ?? null]));
