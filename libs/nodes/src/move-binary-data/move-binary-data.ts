import type { Item, Json, JsonObject } from '@app/engine';
import { describeNode } from '../description.ts';
import { eachItem } from '../each-item.ts';
import { emit } from '../emit.ts';
import { contentOfFile, fileIn, fileOf } from '../files/file.ts';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import type { NodeType } from '../node-type.ts';
import { choice, flag, settings, text, when } from '../parameters/properties.ts';
import { textOf } from '../values/convert.ts';
import { isRecord } from '../values/guards.ts';
import { readPath, writePath } from '../values/path.ts';

const toJson = when({ mode: ['binaryToJson'] });
const toFile = when({ mode: ['jsonToBinary'] });

/** The predecessor of Convert to File and Extract from File. */
export const moveBinaryData: NodeType = {
  description: describeNode({
    name: 'moveBinaryData',
    displayName: 'Convert to/from binary data',
    versions: [1, 1.1],
    properties: [
      choice('mode', 'binaryToJson', ['binaryToJson', 'jsonToBinary']),
      flag('setAllData', true, toJson),
      text('sourceKey', 'data', toJson),
      text('destinationKey', 'data', when({ mode: ['binaryToJson'], setAllData: [false] })),
      flag('convertAllData', true, toFile),
      text('sourceKey', 'data', when({ mode: ['jsonToBinary'], convertAllData: [false] })),
      text('destinationKey', 'data', toFile),
      settings([flag('keepSource', false), flag('jsonParse', false), flag('keepAsBase64', false), flag('useRawData', false), text('fileName'), text('mimeType')]),
    ],
  }),
  run: (context) =>
    emit(
      eachItem(context, context.items(), (item, index) =>
        context.parameter('mode', index, 'binaryToJson') === 'jsonToBinary' ? intoFile(context, item, index) : intoJson(context, item, index),
      ),
    ),
};

function intoJson(context: NodeContext, item: Item, index: number): Item {
  const options = context.parameter<JsonObject>('options', index, {});
  const source = context.parameter<string>('sourceKey', index, 'data');
  const file = fileIn(item, source, index);
  const content = contentOfFile(file).toString('utf8');
  const moved: Item = { json: { ...item.json }, pairedItem: { item: index } };
  if (context.parameter('setAllData', index, true) === true) moved.json = recordIn(content, index);
  else {
    const value = options['keepAsBase64'] === true ? file.data : options['jsonParse'] === true ? parsed(content, index) : content;
    writePath(moved.json, context.parameter<string>('destinationKey', index, 'data'), value);
  }
  const files = Object.entries(item.binary ?? {}).filter(([name]) => options['keepSource'] === true || name !== source);
  if (files.length > 0) moved.binary = Object.fromEntries(files);
  return moved;
}

function intoFile(context: NodeContext, item: Item, index: number): Item {
  const options = context.parameter<JsonObject>('options', index, {});
  const isWhole = context.parameter('convertAllData', index, true) === true;
  const value: Json = isWhole ? item.json : readPath(item.json, context.parameter<string>('sourceKey', index, 'data'));
  if (value === undefined) throw new NodeError(`Item ${index} lacks the field to convert.`, { itemIndex: index, retryable: false });
  const content = options['useRawData'] === true ? textOf(value) : JSON.stringify(value);
  const file = fileOf(Buffer.from(content), String(options['mimeType'] || 'application/json'), String(options['fileName'] || 'file.json'));
  return {
    json: options['keepSource'] === true ? item.json : {},
    binary: { ...item.binary, [context.parameter<string>('destinationKey', index, 'data')]: file },
    pairedItem: { item: index },
  };
}

function recordIn(content: string, itemIndex: number): JsonObject {
  const value = parsed(content, itemIndex);
  if (isRecord(value)) return value;
  throw new NodeError(`The file of item ${itemIndex} does not hold a JSON object.`, { itemIndex, retryable: false });
}

function parsed(content: string, itemIndex: number): Json {
  try {
    return JSON.parse(content.replace(/^\uFEFF/, '')) as Json;
  } catch (cause) {
    throw new NodeError(`The file of item ${itemIndex} is not valid JSON.`, { itemIndex, retryable: false, cause });
  }
}
