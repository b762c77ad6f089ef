import type { Item, Json, JsonObject } from '@app/engine';
import { describeNode } from '../description.ts';
import { emit } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import type { NodeType } from '../node-type.ts';
import { choice, text, when } from '../parameters/properties.ts';
import { readPath } from '../values/path.ts';
import { mergeItems, type ClashRules } from './clash.ts';
import { append, emptyItem } from './combine.ts';
import { passed, placed } from './pairing.ts';

const modes = ['append', 'keepKeyMatches', 'mergeByIndex', 'mergeByKey', 'multiplex', 'passThrough', 'removeKeyMatches', 'wait'];
const byKey = { mode: ['keepKeyMatches', 'mergeByKey', 'removeKeyMatches'] };
const laterWins: ClashRules = { resolve: { preferred: 1 }, deep: false, keepFilled: false };

/** Version 1: two inputs, joined by one key at most. */
export const mergeV1: NodeType = {
  description: describeNode({
    name: 'merge',
    displayName: 'Merge',
    inputs: 2,
    properties: [
      choice('mode', 'append', modes),
      choice('join', 'left', ['inner', 'left', 'outer'], when({ mode: ['mergeByIndex'] })),
      { ...text('propertyName1', '', when(byKey)), required: true },
      { ...text('propertyName2', '', when(byKey)), required: true },
      choice('output', 'input1', ['input1', 'input2'], when({ mode: ['passThrough'] })),
      choice('overwrite', 'always', ['always', 'blank', 'undefined'], when({ mode: ['mergeByKey'] })),
    ],
  }),
  run: (context) => {
    context.signal.throwIfAborted();
    return emit(merged(context, context.items(0), context.items(1)));
  },
};

function merged(context: NodeContext, left: Item[], right: Item[]): Item[] {
  const mode = context.parameter('mode', 0, 'append');
  switch (mode) {
    case 'append':
      return append([left, right]);
    case 'passThrough':
      return context.parameter('output', 0, 'input1') === 'input2' ? right : left;
    case 'wait':
      return [emptyItem([left])];
    case 'multiplex':
      return placed(left, 0).flatMap((part) => placed(right, 1).map((other) => mergeItems([part, other], laterWins)));
    case 'mergeByIndex':
      return byIndex(left, right, context.parameter<string>('join', 0, 'left'));
    case 'mergeByKey':
    case 'keepKeyMatches':
    case 'removeKeyMatches':
      return byKeyMatches(context, mode, left, right);
    default:
      throw new NodeError(`The mode "${mode}" of Merge 1 does not exist. Use one of ${modes.join(', ')}.`, { retryable: false });
  }
}

function byIndex(left: readonly Item[], right: readonly Item[], join: string): Item[] {
  const rows = join === 'inner' ? Math.min(left.length, right.length) : join === 'outer' ? Math.max(left.length, right.length) : left.length;
  const [lefts, rights] = [placed(left, 0), placed(right, 1)];
  return Array.from({ length: rows }, (_, row) => {
    const [part, other] = [lefts[row], rights[row]];
    return part && other ? mergeItems([part, other], laterWins) : passed((part ?? other)!);
  });
}

function byKeyMatches(context: NodeContext, mode: string, left: readonly Item[], right: readonly Item[]): Item[] {
  const [leftName, rightName] = [context.parameter<string>('propertyName1', 0, ''), context.parameter<string>('propertyName2', 0, '')];
  const overwrite = context.parameter<string>('overwrite', 0, 'always');
  const byValue = new Map<string, Item>();
  for (const item of right) {
    const value = readPath(item.json, rightName);
    if (value !== undefined && value !== null) byValue.set(String(value), item);
  }
  return left.flatMap((item) => {
    const value = readPath(item.json, leftName);
    const other = value === undefined || value === null ? undefined : byValue.get(String(value));
    if (mode === 'removeKeyMatches') return other ? [] : [item];
    if (mode === 'keepKeyMatches') return other ? [item] : [];
    return [other ? { ...item, json: overwritten(item.json, other.json, rightName, overwrite) } : item];
  });
}

function overwritten(json: JsonObject, other: JsonObject, keyName: string, overwrite: string): JsonObject {
  const result = { ...json };
  for (const [name, value] of Object.entries(other)) {
    if (name !== keyName && mayOverwrite(result, name, overwrite)) result[name] = value;
  }
  return result;
}

function mayOverwrite(json: JsonObject, name: string, overwrite: string): boolean {
  if (overwrite === 'undefined') return !Object.hasOwn(json, name);
  const blank: readonly Json[] = [null, undefined, ''];
  return overwrite !== 'blank' || blank.includes(json[name]);
}
