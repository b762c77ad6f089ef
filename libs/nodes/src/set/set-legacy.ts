import type { Item, Json, JsonObject, PropertyDescription } from '@app/engine';
import { describeNode } from '../description.ts';
import { emit } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import type { NodeType } from '../node-type.ts';
import { anything, flag, number, settings, text } from '../parameters/properties.ts';
import { isList, isRecord } from '../values/guards.ts';
import { writePath } from '../values/path.ts';

// Later kinds win over earlier ones for the same name.
const kinds = ['boolean', 'number', 'string'] as const;

const values: PropertyDescription = {
  name: 'values',
  type: 'fixedCollection',
  default: {},
  typeOptions: { multipleValues: true },
  options: [
    { name: 'boolean', values: [text('name', 'propertyName'), flag('value', false)] },
    { name: 'number', values: [text('name', 'propertyName'), number('value', 0)] },
    { name: 'string', values: [text('name', 'propertyName'), anything('value', 'json', '')] },
  ],
};

/** The first two versions: values by kind. Without input there is still one item. */
export const setLegacy: NodeType = {
  description: describeNode({
    name: 'set',
    displayName: 'Set',
    versions: [1, 2],
    properties: [flag('keepOnlySet', false), values, settings([flag('dotNotation', true)])],
  }),
  run: (context) => {
    const input = context.items();
    const source: readonly Item[] = input.length > 0 ? input : [{ json: {} }];
    return emit(source.map((item, index) => edit(context, item, index)));
  },
};

function edit(context: NodeContext, item: Item, index: number): Item {
  context.signal.throwIfAborted();
  const keepsOthers = context.parameter('keepOnlySet', index, false) !== true;
  const dots = context.parameter<JsonObject>('options', index, {})['dotNotation'] !== false;
  const edited: Item = { json: keepsOthers ? { ...item.json } : {}, pairedItem: item.pairedItem };
  if (keepsOthers && item.binary) edited.binary = { ...item.binary };
  const given = context.parameter<JsonObject>('values', index, {});
  for (const kind of kinds) {
    for (const entry of listOf(given[kind])) {
      writePath(edited.json, String(entry['name'] ?? ''), valueOf(entry['value'], kind, context.node.version), dots);
    }
  }
  return edited;
}

const valueOf = (value: Json, kind: (typeof kinds)[number], version: number): Json =>
  kind === 'number' && version === 2 && typeof value !== 'number' ? Number(value) : value;

const listOf = (value: Json): JsonObject[] => (isList(value) ? value.filter(isRecord) : []);
