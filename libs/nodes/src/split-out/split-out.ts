import type { BinaryValue, Item, Json, JsonObject } from '@app/engine';
import { describeNode } from '../description.ts';
import { eachItem } from '../each-item.ts';
import { emit } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import type { NodeType } from '../node-type.ts';
import { choice, flag, settings, text, when } from '../parameters/properties.ts';
import { commaList, isList } from '../values/guards.ts';
import { readPath, removePath } from '../values/path.ts';

/** One item per element of a list (or value of an object) found in the input item. */
export const splitOut: NodeType = {
  description: describeNode({
    name: 'splitOut',
    displayName: 'Split Out',
    properties: [
      text('fieldToSplitOut', '', { required: true }),
      choice('include', 'noOtherFields', ['noOtherFields', 'allOtherFields', 'selectedOtherFields']),
      text('fieldsToInclude', '', when({ include: ['selectedOtherFields'] })),
      settings([flag('disableDotNotation', false), text('destinationFieldName'), flag('includeBinary', false)]),
    ],
  }),
  run: (context) => emit(eachItem(context, context.items(), (item, index) => splitItem(context, item, index))),
};

interface SplitRules {
  readonly fields: readonly string[];
  readonly destinations: readonly string[];
  readonly include: string;
  readonly included: readonly string[];
  readonly dots: boolean;
  readonly files: boolean;
}

function splitItem(context: NodeContext, item: Item, index: number): Item[] {
  const rules = rulesOf(context, index);
  const columns = rules.fields.map((field) => elementsOf(item, field, rules.dots));
  const rows = Math.max(0, ...columns.map((column) => column.length));
  return Array.from({ length: rows }, (_, row) => {
    const part: Item = { json: otherFields(item.json, rules), pairedItem: { item: index } };
    if (rules.files && item.binary) part.binary = item.binary;
    columns.forEach((column, position) => {
      if (row < column.length) place(part, column[row]!, rules, position);
    });
    return part;
  });
}

function rulesOf(context: NodeContext, index: number): SplitRules {
  const options = context.parameter<JsonObject>('options', index, {});
  const fields = commaList(context.parameter('fieldToSplitOut', index, '')).map((field) => field.replace(/^\$json\./, ''));
  const destinations = commaList(options['destinationFieldName']);
  if (destinations.length > 0 && destinations.length !== fields.length) {
    throw new NodeError('If multiple fields to split out are given, the same number of destination fields must be given', {
      itemIndex: index,
      retryable: false,
    });
  }
  return {
    fields,
    destinations,
    include: context.parameter('include', index, 'noOtherFields'),
    included: commaList(context.parameter('fieldsToInclude', index, '')),
    dots: options['disableDotNotation'] !== true,
    files: options['includeBinary'] === true,
  };
}

interface Element {
  readonly value: Json;
  /** Set for files: where the value goes under `binary`. */
  readonly file?: { readonly name: string; readonly content: BinaryValue };
}

function elementsOf(item: Item, field: string, dots: boolean): Element[] {
  if (field === '$binary') {
    return Object.entries(item.binary ?? {}).map(([name, content]) => ({ value: undefined, file: { name, content } }));
  }
  const value = readPath(item.json, field, dots);
  if (value === undefined) return [];
  if (isList(value)) return value.map((each) => ({ value: each }));
  return typeof value === 'object' && value !== null ? Object.values(value).map((each) => ({ value: each })) : [{ value }];
}

function otherFields(json: JsonObject, rules: SplitRules): JsonObject {
  if (rules.include === 'allOtherFields') {
    const rest = { ...json };
    for (const field of rules.fields) removePath(rest, field, rules.dots);
    return rest;
  }
  if (rules.include !== 'selectedOtherFields') return {};
  return Object.fromEntries(rules.included.map((field) => [field, readPath(json, field, rules.dots)]));
}

/** An object alone becomes the item itself; everything else is stored under the name of the field or its destination. */
function place(part: Item, element: Element, rules: SplitRules, position: number): void {
  if (element.file) {
    part.binary = { ...part.binary, [element.file.name]: element.file.content };
    return;
  }
  const { value } = element;
  const destination = rules.destinations[position];
  const isSpread = rules.include === 'noOtherFields' && rules.fields.length === 1 && destination === undefined;
  if (isSpread && typeof value === 'object' && value !== null) Object.assign(part.json, value);
  else part.json[destination ?? rules.fields[position]!] = value;
}
