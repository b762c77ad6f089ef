import type { Item, JsonObject } from '@app/engine';
import { describeNode } from '../description.ts';
import { eachItem, errorItem } from '../each-item.ts';
import { emit } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import type { NodeResult } from '../node-result.ts';
import type { NodeType } from '../node-type.ts';
import { anything, atLeast, choice, entries, flag, number, settings, text, when } from '../parameters/properties.ts';
import { writePath } from '../values/path.ts';
import { assignedValue } from './assigned-value.ts';
import { assignedFile, assignmentsOf } from './assignments.ts';
import { includedFields, inclusion, type Inclusion } from './included-fields.ts';
import { rawJson } from './raw-json.ts';

const early = [3, 3.1, 3.2];
const late = [3.3, 3.4];

/** Puts out one item per input item: the chosen fields of the input, then the assigned ones. */
export const set: NodeType = {
  description: describeNode({
    name: 'set',
    displayName: 'Edit Fields (Set)',
    versions: [...early, ...late],
    properties: [
      choice('mode', 'manual', ['manual', 'raw']),
      flag('duplicateItem', false),
      number('duplicateCount', 0, when({ duplicateItem: [true] })),
      anything('jsonOutput', 'json', '{\n  "my_field_1": "value",\n  "my_field_2": 1\n}\n', when({ mode: ['raw'] })),
      anything('assignments', 'assignmentCollection', {}, when({ mode: ['manual'], '@version': late })),
      entries(
        'fields',
        'values',
        [
          text('name'),
          choice('type', 'stringValue', ['stringValue', 'numberValue', 'booleanValue', 'arrayValue', 'objectValue']),
          text('stringValue', '', when({ type: ['stringValue'] })),
          text('numberValue', '', when({ type: ['numberValue'] })),
          anything('booleanValue', 'json', 'true', when({ type: ['booleanValue'] })),
          text('arrayValue', '', when({ type: ['arrayValue'] })),
          anything('objectValue', 'json', '={}', when({ type: ['objectValue'] })),
        ],
        when({ mode: ['manual'], '@version': early }),
      ),
      choice('include', 'all', ['all', 'none', 'selected', 'except'], when({ '@version': early })),
      flag('includeOtherFields', false, when({ '@version': late })),
      choice('include', 'all', ['all', 'selected', 'except'], when({ '@version': late, '/includeOtherFields': [true] })),
      text('includeFields', '', when({ include: ['selected'] })),
      text('excludeFields', '', when({ include: ['except'] })),
      settings([
        flag('includeBinary', true),
        flag('stripBinary', true, when({ '@version': [atLeast(3.4)] })),
        flag('ignoreConversionErrors', false),
        flag('dotNotation', true),
      ]),
    ],
  }),
  run: (context) => (context.rawParameter('mode', 'manual') === 'raw' ? runRaw(context) : runManual(context)),
};

function runManual(context: NodeContext): NodeResult {
  return emit(duplicated(context, eachItem(context, context.items(), (item, index) => assigned(context, item, index))));
}

async function runRaw(context: NodeContext): Promise<NodeResult> {
  const output: Item[] = [];
  for (const [index, item] of context.items().entries()) {
    context.signal.throwIfAborted();
    try {
      const { edited, dots } = startingPoint(context, item, index);
      for (const [name, value] of Object.entries(await rawJson(context, index))) writePath(edited.json, name, value, dots);
      output.push(edited);
    } catch (error) {
      if (!context.continueOnFail) throw error;
      output.push(errorItem(error, index));
    }
  }
  return emit(duplicated(context, output));
}

/** A testing aid: each item several times, in manual executions only. */
function duplicated(context: NodeContext, output: Item[]): Item[] {
  if (context.execution.mode !== 'manual' || context.parameter('duplicateItem', 0, false) !== true) return output;
  const copies = Number(context.parameter('duplicateCount', 0, 0));
  return output.flatMap((item) => [item, ...Array.from({ length: copies }, () => structuredClone(item))]);
}

function assigned(context: NodeContext, item: Item, index: number): Item {
  const { edited, dots, options } = startingPoint(context, item, index);
  const rules = {
    nodeVersion: context.node.version,
    itemIndex: index,
    ignoreConversionErrors: options['ignoreConversionErrors'] === true,
    zone: context.workflow.timezone,
  };
  for (const { name, type, value } of assignmentsOf(context, index)) {
    const file = type === 'binary' ? assignedFile(value, item) : undefined;
    if (file) edited.binary = { ...edited.binary, [name]: file };
    else if (type !== 'binary') writePath(edited.json, name, assignedValue(name, type, value, rules), dots);
  }
  return edited;
}

/** The item before anything is assigned to it. */
function startingPoint(context: NodeContext, item: Item, index: number): StartingPoint {
  const options = context.parameter<JsonObject>('options', index, {});
  const include = inclusionOf(context, index);
  const dots = options['dotNotation'] !== false;
  const edited: Item = { json: includedFields(item.json, include, dots), pairedItem: { item: index } };
  if (item.binary && keepsFiles(context.node.version, include, options)) edited.binary = { ...item.binary };
  return { edited, dots, options };
}

interface StartingPoint {
  readonly edited: Item;
  readonly dots: boolean;
  readonly options: JsonObject;
}

function inclusionOf(context: NodeContext, index: number): Inclusion {
  const isLate = context.node.version >= 3.3;
  if (isLate && context.parameter('includeOtherFields', index, false) !== true) return { kind: 'none' };
  const kind = context.parameter<string>('include', index, 'all');
  if (kind === 'all') return { kind: 'all' };
  return inclusion(kind, context.parameter('includeFields', index, ''), context.parameter('excludeFields', index, ''));
}

const keepsFiles = (version: number, include: Inclusion, options: JsonObject): boolean =>
  version >= 3.4 ? options['stripBinary'] !== true && include.kind !== 'none' : options['includeBinary'] === true;
