import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@app/engine';
import { firstOf, outputsOf } from '../../testing/run-node.ts';
import { extractFromFile } from '../extract-from-file/extract-from-file.ts';
import { moveBinaryData } from '../move-binary-data/move-binary-data.ts';
import type { NodeType } from '../node-type.ts';
import { convertToFile } from './convert-to-file.ts';

const rows = [{ id: 1, o: { name: 'Bo, jr' } }, { id: 2, extra: null }];

async function written(node: NodeType, parameters: JsonObject, input: readonly JsonObject[]): Promise<(readonly [string, string])[]> {
  const [items] = await outputsOf(node, { parameters, inputs: [input] });
  return items!.map(({ binary }) => [binary!['data']!.fileName!, Buffer.from(binary!['data']!.data, 'base64').toString()] as const);
}
const file = (text: string, mimeType = 'text/plain') => ({ mimeType, data: Buffer.from(text).toString('base64') });
const read = (node: NodeType, parameters: JsonObject, text: string) => firstOf(node, { parameters, inputs: [[{ json: { k: 1 }, binary: { data: file(text) } }]] });

describe('Convert to File', () => {
  it('writes all items into one CSV, nested fields by path', async () => {
    expect(await written(convertToFile, {}, rows)).toEqual([['File.csv', '\uFEFFid,o.name,extra\n1,"Bo, jr",\n2,,']]);
    expect(await written(convertToFile, { options: { headerRow: false, delimiter: ';', fileName: 'x.csv' } }, [{ a: 1, b: 2 }])).toEqual([['x.csv', '\uFEFF1;2']]);
  });

  it('writes JSON together or item by item', async () => {
    expect(await written(convertToFile, { operation: 'toJson' }, [{ a: 1 }, { a: 2 }])).toEqual([['file.json', '[{"a":1},{"a":2}]']]);
    expect(await written(convertToFile, { operation: 'toJson', mode: 'each' }, [{ a: 1 }, { a: 2 }])).toEqual([['file.json', '{"a":1}'], ['file.json', '{"a":2}']]);
  });

  it('writes one field as text, or as the bytes its base64 stands for', async () => {
    expect(await written(convertToFile, { operation: 'toText', sourceProperty: 't' }, [{ t: 'hello' }])).toEqual([['file.txt', 'hello']]);
    const bytes = { operation: 'toBinary', sourceProperty: 't', options: { fileName: 'a.bin' } };
    expect(await written(convertToFile, bytes, [{ t: 'YWJj' }])).toEqual([['a.bin', 'abc']]);
    await expect(written(convertToFile, bytes, [{}])).rejects.toThrow(/no field "t"/);
  });

  it('refuses formats it cannot write', async () => {
    await expect(written(convertToFile, { operation: 'xlsx', sourceProperty: 't' }, [{ t: 1 }])).rejects.toThrow(/not supported|no field/);
  });
});

describe('Extract from File', () => {
  it('makes an item of every CSV row, paired with its file', async () => {
    const inputs = [[{ json: {}, binary: { data: file('id\n1\n2\n') } }, { json: {}, binary: { data: file('id\n3\n') } }]];
    const [items] = await outputsOf(extractFromFile, { inputs });
    expect(items).toEqual([
      { json: { id: '1' }, pairedItem: { item: 0 } },
      { json: { id: '2' }, pairedItem: { item: 0 } },
      { json: { id: '3' }, pairedItem: { item: 1 } },
    ]);
  });

  it.each([
    [{}, 'id,n\n1,\n', [{ id: '1' }]],
    [{ options: { includeEmptyCells: true } }, 'id,n\n1,\n', [{ id: '1', n: '' }]],
    [{ options: { maxRowCount: 1 } }, 'id\n1\n2\n', [{ id: '1' }]],
    [{ options: { headerRow: false } }, '1,a\n', [{ row: { 0: '1', 1: 'a' } }]],
    [{ options: { enableBOM: true } }, '\uFEFFid\n1', [{ id: '1' }]],
    [{}, '\uFEFFid\n1', [{ '\uFEFFid': '1' }]],
    [{ operation: 'fromJson' }, '[1]', [{ data: [1] }]],
    [{ operation: 'text', destinationKey: 't', options: { keepSource: 'json' } }, 'hi', [{ k: 1, t: 'hi' }]],
    [{ operation: 'binaryToPropery' }, 'abc', [{ data: 'YWJj' }]],
  ])('with %j reads %j', async (parameters, text, expected) => {
    expect(await read(extractFromFile, parameters, text)).toEqual(expected);
  });

  it('says which files there are when the named one is missing', async () => {
    await expect(read(extractFromFile, { binaryPropertyName: 'doc' }, 'x')).rejects.toThrow(/no file "doc" on item 0. Files: data/);
    await expect(read(extractFromFile, { operation: 'fromJson' }, '{')).rejects.toThrow(/not valid JSON/);
    await expect(read(extractFromFile, { operation: 'text', options: { encoding: 'klingon' } }, 'x')).rejects.toThrow(/encoding/);
  });
});

describe('Move Binary Data', () => {
  it('moves a file into the item and an item into a file', async () => {
    expect(await read(moveBinaryData, {}, '{"a":1}')).toEqual([{ a: 1 }]);
    expect(await read(moveBinaryData, { setAllData: false, destinationKey: 'body' }, 'hello')).toEqual([{ k: 1, body: 'hello' }]);
    await expect(read(moveBinaryData, {}, '5')).rejects.toThrow(/does not hold a JSON object/);
    expect(await written(moveBinaryData, { mode: 'jsonToBinary' }, [{ a: 1 }])).toEqual([['file.json', '{"a":1}']]);
  });
});
