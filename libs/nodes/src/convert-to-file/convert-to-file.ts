import type { Item, Json, JsonObject } from '@app/engine';
import { describeNode } from '../description.ts';
import { eachItem } from '../each-item.ts';
import { emit } from '../emit.ts';
import { writeCsv } from '../files/csv.ts';
import { fileOf } from '../files/file.ts';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import type { NodeType } from '../node-type.ts';
import { choice, flag, settings, text, when } from '../parameters/properties.ts';
import { textOf } from '../values/convert.ts';
import { isRecord } from '../values/guards.ts';
import { readPath } from '../values/path.ts';

const operations = ['csv', 'toJson', 'toText', 'toBinary'];

/** Writes items, or a field of each, into files. */
export const convertToFile: NodeType = {
  description: describeNode({
    name: 'convertToFile',
    displayName: 'Convert to File',
    versions: [1, 1.1],
    properties: [
      choice('operation', 'csv', operations),
      choice('mode', 'once', ['once', 'each'], when({ operation: ['toJson'] })),
      text('sourceProperty', '', { ...when({ operation: ['toText', 'toBinary'] }), required: true }),
      text('binaryPropertyName', 'data'),
      settings([
        text('fileName'),
        text('mimeType'),
        text('delimiter', ','),
        flag('headerRow', true),
        flag('addBOM', false),
        flag('format', false),
      ]),
    ],
  }),
  run: (context) => {
    context.signal.throwIfAborted();
    const operation = context.parameter<string>('operation', 0, 'csv');
    if (operation === 'csv') return emit(together(context, (items) => Buffer.from(csvOf(context, items)), 'text/csv', 'File.csv'));
    if (operation === 'toJson' && context.parameter('mode', 0, 'once') === 'once') {
      return emit(together(context, (items) => Buffer.from(jsonText(context, items.map(({ json }) => json))), 'application/json', 'file.json'));
    }
    return emit(eachItem(context, context.items(), (item, index) => alone(context, operation, item, index)));
  },
};

/** All items in one file. */
function together(context: NodeContext, write: (items: readonly Item[]) => Buffer, mimeType: string, fileName: string): Item[] {
  const items = context.items();
  return [{ ...carrier(context, write(items), mimeType, fileName, 0), pairedItem: items.map((_, item) => ({ item })) }];
}

function alone(context: NodeContext, operation: string, item: Item, index: number): Item {
  const made = contentFor(context, operation, item, index);
  return { ...carrier(context, made.content, made.mimeType, made.fileName, index), pairedItem: { item: index } };
}

function contentFor(context: NodeContext, operation: string, item: Item, index: number): { content: Buffer; mimeType: string; fileName: string } {
  if (operation === 'toJson') return { content: Buffer.from(jsonText(context, item.json)), mimeType: 'application/json', fileName: 'file.json' };
  const name = context.parameter<string>('sourceProperty', index, '');
  const value = readPath(item.json, name);
  if (value === undefined) throw new NodeError(`Item ${index} has no field "${name}".`, { itemIndex: index, retryable: false });
  switch (operation) {
    case 'toText': {
      const bom = context.parameter('options.addBOM', index, false) === true ? '\uFEFF' : '';
      return { content: Buffer.from(bom + textOf(value)), mimeType: 'text/plain', fileName: 'file.txt' };
    }
    case 'toBinary':
      return { content: Buffer.from(textOf(value), 'base64'), mimeType: 'application/octet-stream', fileName: 'file' };
    default:
      throw new NodeError(`The operation "${operation}" is not supported. Use one of ${operations.join(', ')}.`, {
        itemIndex: index,
        code: 'unsupported_parameter',
        retryable: false,
      });
  }
}

function carrier(context: NodeContext, content: Buffer, mimeType: string, fileName: string, index: number): Item {
  const options = context.parameter<JsonObject>('options', index, {});
  const file = fileOf(content, String(options['mimeType'] || mimeType), String(options['fileName'] || fileName));
  return { json: {}, binary: { [context.parameter<string>('binaryPropertyName', index, 'data') || 'data']: file } };
}

const jsonText = (context: NodeContext, value: Json): string =>
  JSON.stringify(value, null, context.parameter('options.format', 0, false) === true ? 2 : undefined);

/** The byte order mark makes spreadsheets read the text as UTF-8. */
function csvOf(context: NodeContext, items: readonly Item[]): string {
  const rows = items.map(({ json }) => flattened(json));
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => names.map((name) => (row[name] === undefined || row[name] === null ? '' : textOf(row[name]))));
  const header = context.parameter('options.headerRow', 0, true) === false ? [] : [names];
  return `\uFEFF${writeCsv([...header, ...cells], context.parameter<string>('options.delimiter', 0, ',') || ',')}`;
}

const flattened = (json: JsonObject, prefix = ''): JsonObject =>
  Object.assign({}, ...Object.entries(json).map(([key, value]) => (isRecord(value) ? flattened(value, `${prefix}${key}.`) : { [`${prefix}${key}`]: value }))) as JsonObject;
