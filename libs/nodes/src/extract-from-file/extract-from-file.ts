import type { Item, Json, JsonObject } from '@app/engine';
import { describeNode } from '../description.ts';
import { eachItem } from '../each-item.ts';
import { emit } from '../emit.ts';
import { parseCsv } from '../files/csv.ts';
import { contentOfFile, fileIn } from '../files/file.ts';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import type { NodeType } from '../node-type.ts';
import { choice, flag, number, settings, text } from '../parameters/properties.ts';

// The misspelling is the stored name.
const operations = ['csv', 'fromJson', 'text', 'xml', 'html', 'binaryToPropery'];

/** Reads files of the input items into fields, CSV into one item per row. */
export const extractFromFile: NodeType = {
  description: describeNode({
    name: 'extractFromFile',
    displayName: 'Extract from File',
    versions: [1, 1.1],
    properties: [
      choice('operation', 'csv', operations),
      text('binaryPropertyName', 'data'),
      text('destinationKey', 'data'),
      settings([
        choice('keepSource', 'json', ['json', 'binary', 'both']),
        text('encoding', 'utf8'),
        text('delimiter', ','),
        flag('headerRow', true),
        flag('enableBOM', false),
        flag('includeEmptyCells', false),
        number('maxRowCount', -1),
        number('fromLine', 0),
      ]),
    ],
  }),
  run: (context) => emit(eachItem(context, context.items(), (item, index) => extracted(context, item, index))),
};

function extracted(context: NodeContext, item: Item, index: number): Item[] {
  const options = context.parameter<JsonObject>('options', index, {});
  const file = fileIn(item, context.parameter<string>('binaryPropertyName', index, 'data'), index);
  const content = contentOfFile(file);
  const operation = context.parameter<string>('operation', index, 'csv');
  const read = (): string => decoded(content, String(options['encoding'] ?? 'utf8'), index);
  switch (operation) {
    case 'csv':
      return rowsOf(read(), options).map((json) => ({ json, pairedItem: { item: index } }));
    case 'fromJson':
      return [inField(context, item, index, parsed(read(), index))];
    case 'binaryToPropery':
      return [inField(context, item, index, content.toString('base64'))];
    case 'text':
    case 'xml':
    case 'html':
      return [inField(context, item, index, read())];
    default:
      throw new NodeError(`The operation "${operation}" is not supported. Use one of ${operations.join(', ')}.`, {
        itemIndex: index,
        code: 'unsupported_parameter',
        retryable: false,
      });
  }
}

function inField(context: NodeContext, item: Item, index: number, value: Json): Item {
  const kept = context.parameter('options.keepSource', index, '');
  const name = context.parameter<string>('destinationKey', index, 'data') || 'data';
  const result: Item = { json: { ...(kept === 'json' || kept === 'both' ? item.json : {}), [name]: value }, pairedItem: { item: index } };
  if (item.binary && (kept === 'binary' || kept === 'both')) result.binary = item.binary;
  return result;
}

/** A byte order mark stays part of the first name unless the option enableBOM removes it, as in n8n. */
function rowsOf(text: string, options: JsonObject): JsonObject[] {
  const content = options['enableBOM'] === true ? text.replace(/^\uFEFF/, '') : text;
  const lines = parseCsv(content, String(options['delimiter'] || ',')).slice(Math.max(0, Number(options['fromLine'] ?? 0) - 1));
  const hasHeader = options['headerRow'] !== false;
  const names = hasHeader ? (lines[0] ?? []) : [];
  const limit = Number(options['maxRowCount'] ?? -1);
  const rows = lines.slice(hasHeader ? 1 : 0);
  return (limit >= 0 ? rows.slice(0, limit) : rows).map((cells) =>
    hasHeader ? namedCells(names, cells, options['includeEmptyCells'] === true) : { row: { ...cells } },
  );
}

/** Blank cells give no field unless they are wanted. */
const namedCells = (names: readonly string[], cells: readonly string[], withBlanks: boolean): JsonObject =>
  Object.fromEntries(names.map((name, column) => [name, cells[column] ?? '']).filter(([, cell]) => withBlanks || cell !== ''));

function decoded(content: Buffer, encoding: string, itemIndex: number): string {
  const name = encoding === 'utf8' ? 'utf-8' : encoding;
  try {
    return new TextDecoder(name, { ignoreBOM: true }).decode(content);
  } catch (cause) {
    throw new NodeError(`The encoding "${encoding}" is not known. Use for instance utf8, utf16le or latin1.`, { itemIndex, retryable: false, cause });
  }
}

function parsed(text: string, itemIndex: number): Json {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as Json;
  } catch (cause) {
    throw new NodeError(`The file of item ${itemIndex} is not valid JSON.`, { itemIndex, retryable: false, cause });
  }
}
