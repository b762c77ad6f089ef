import type { BinaryValue, Item } from '@app/engine';
import { NodeError } from '../node-error.ts';
import { extensionOf, fileTypeOf } from './media-type.ts';

/** A file as items carry it, with what is shown beside it. */
export function fileOf(content: Buffer, mimeType: string, fileName: string): BinaryValue {
  const fileExtension = /\.([A-Za-z0-9]+)$/.exec(fileName)?.[1] ?? extensionOf(mimeType);
  const fileType = fileTypeOf(mimeType);
  return {
    mimeType,
    data: content.toString('base64'),
    fileName,
    ...(fileExtension === undefined ? {} : { fileExtension }),
    ...(fileType === undefined ? {} : { fileType }),
    fileSize: sizeText(content.length),
    bytes: content.length,
  };
}

/** The file of an item under a name. Throws when there is none. */
export function fileIn(item: Item, name: string, itemIndex: number): BinaryValue {
  const file = item.binary && Object.hasOwn(item.binary, name) ? item.binary[name] : undefined;
  if (file) return file;
  throw new NodeError(`There is no file "${name}" on item ${itemIndex}. Files: ${Object.keys(item.binary ?? {}).join(', ') || 'none'}.`, {
    itemIndex,
    retryable: false,
  });
}

export const contentOfFile = (file: BinaryValue): Buffer => Buffer.from(file.data, 'base64');

function sizeText(bytes: number): string {
  const unit = bytes < 1000 ? 0 : bytes < 1_000_000 ? 1 : bytes < 1_000_000_000 ? 2 : 3;
  return `${unit === 0 ? bytes : Number((bytes / 1000 ** unit).toPrecision(3))} ${['B', 'kB', 'MB', 'GB'][unit]}`;
}
