import { createHash, createHmac, createSign, getHashes, randomBytes, randomUUID } from 'node:crypto';
import type { Item } from '@app/engine';
import { describeNode } from '../description.ts';
import { eachItem } from '../each-item.ts';
import { emit } from '../emit.ts';
import { contentOfFile, fileIn } from '../files/file.ts';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import type { NodeType } from '../node-type.ts';
import { atLeast, choice, flag, number, text, when } from '../parameters/properties.ts';
import { textOf } from '../values/convert.ts';
import { writePath } from '../values/path.ts';

const hashes = ['MD5', 'SHA256', 'SHA3-256', 'SHA3-384', 'SHA3-512', 'SHA384', 'SHA512'];
const hashed = (...actions: string[]): ReturnType<typeof when> => when({ action: actions });

/** Hashes, signs or makes random values; the result is added to the json of the item, whose files end here. */
export const crypto: NodeType = {
  description: describeNode({
    name: 'crypto',
    displayName: 'Crypto',
    versions: [1, 2],
    properties: [
      choice('action', 'hash', ['generate', 'hash', 'hmac', 'sign']),
      choice('type', 'MD5', hashes, when({ action: ['hash', 'hmac'], '@version': [1] })),
      choice('type', 'SHA256', hashes, when({ action: ['hash', 'hmac'], '@version': [atLeast(2)] })),
      flag('binaryData', false, hashed('hash', 'hmac')),
      text('binaryPropertyName', 'data', when({ action: ['hash', 'hmac'], binaryData: [true] })),
      text('value', '', when({ action: ['hash', 'hmac'], binaryData: [false] })),
      text('value', '', hashed('sign')),
      text('secret', '', hashed('hmac')),
      text('algorithm', '', hashed('sign')),
      text('privateKey', '', hashed('sign')),
      text('dataPropertyName', 'data'),
      choice('encoding', 'hex', ['base64', 'hex'], hashed('hash', 'hmac', 'sign')),
      choice('encodingType', 'uuid', ['ascii', 'base64', 'hex', 'uuid'], hashed('generate')),
      number('stringLength', 32, when({ action: ['generate'], encodingType: ['ascii', 'base64', 'hex'] })),
    ],
  }),
  run: (context) => emit(eachItem(context, context.items(), (item, index) => withResult(context, item, index))),
};

function withResult(context: NodeContext, item: Item, index: number): Item {
  const json = { ...item.json };
  writePath(json, context.parameter<string>('dataPropertyName', index, 'data'), computed(context, item, index));
  return { json, pairedItem: { item: index } };
}

function computed(context: NodeContext, item: Item, index: number): string {
  const encoding = context.parameter<'hex' | 'base64'>('encoding', index, 'hex');
  const value = (): string | Buffer =>
    context.parameter('binaryData', index, false) === true
      ? contentOfFile(fileIn(item, context.parameter<string>('binaryPropertyName', index, 'data'), index))
      : textOf(context.parameter('value', index, ''));
  switch (context.parameter('action', index, 'hash')) {
    case 'hmac':
      return createHmac(algorithm(context, 'type', index), secret(context, 'secret', index)).update(value()).digest(encoding);
    case 'sign':
      return createSign(algorithm(context, 'algorithm', index)).update(value()).sign(secret(context, 'privateKey', index), encoding);
    case 'generate':
      return generated(context.parameter<string>('encodingType', index, 'uuid'), Number(context.parameter('stringLength', index, 32)));
    default:
      return createHash(algorithm(context, 'type', index)).update(value()).digest(encoding);
  }
}

function algorithm(context: NodeContext, parameter: string, itemIndex: number): string {
  const name = String(context.parameter(parameter, itemIndex, ''));
  if (getHashes().some((known) => known.toLowerCase() === name.toLowerCase())) return name;
  throw new NodeError(`The algorithm "${name}" is not known. Use one of ${hashes.join(', ')}.`, { itemIndex, retryable: false });
}

function secret(context: NodeContext, parameter: string, itemIndex: number): string {
  const given = String(context.parameter(parameter, itemIndex, ''));
  if (given !== '') return given;
  throw new NodeError(`The parameter ${parameter} is empty.`, { itemIndex, retryable: false });
}

// A mistaken length must not fill the memory of the worker.
const longest = 10_000;

function generated(kind: string, length: number): string {
  if (kind === 'uuid') return randomUUID();
  const wanted = Math.min(Math.max(0, Math.floor(length) || 0), longest);
  const encoding = kind === 'base64' ? 'base64' : 'hex';
  return randomBytes(wanted).toString(encoding).replace(/\W/g, '').slice(0, wanted);
}
