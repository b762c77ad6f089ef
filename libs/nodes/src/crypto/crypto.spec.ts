import { generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@app/engine';
import { firstOf } from '../../testing/run-node.ts';
import { crypto } from './crypto.ts';

const run = (parameters: JsonObject, version = 2) => firstOf(crypto, { version, parameters, inputs: [[{ v: 'hello' }]] });
const helloSha256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

describe('Crypto', () => {
  it('hashes with SHA256 by default and with MD5 in version 1', async () => {
    expect(await run({ value: '={{ $json.v }}' })).toEqual([{ v: 'hello', data: helloSha256 }]);
    expect(await run({ value: 'hello' }, 1)).toEqual([{ v: 'hello', data: '5d41402abc4b2a76b9719d911017c592' }]);
  });

  it('hashes files', async () => {
    const inputs = [[{ json: {}, binary: { data: { mimeType: 'text/plain', data: 'aGVsbG8=' } } }]];
    expect(await firstOf(crypto, { parameters: { binaryData: true }, inputs })).toEqual([{ data: helloSha256 }]);
  });

  it('authenticates with a secret and refuses an empty one', async () => {
    const [item] = await run({ action: 'hmac', value: 'what do ya want for nothing?', secret: 'Jefe', dataPropertyName: 'sig' });
    expect(item?.['sig']).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
    await expect(run({ action: 'hmac', value: 'x' })).rejects.toThrow(/secret is empty/);
  });

  it('signs with a private key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const [item] = await run({ action: 'sign', value: 'x', algorithm: 'SHA256', privateKey: pem, encoding: 'base64' });
    expect(verify('SHA256', Buffer.from('x'), publicKey, Buffer.from(String(item?.['data']), 'base64'))).toBe(true);
  });

  it.each([
    ['hex', /^[0-9a-f]{12}$/],
    ['base64', /^[0-9A-Za-z]{1,12}$/],
    ['ascii', /^[0-9a-f]{12}$/],
  ])('makes random text as %s, new each time', async (encodingType, shape) => {
    const made = async () => String((await run({ action: 'generate', encodingType, stringLength: 12 }))[0]?.['data']);
    expect(await made()).toMatch(shape);
    expect(await made()).not.toBe(await made());
  });

  it('refuses an algorithm it does not know', async () => {
    await expect(run({ value: 'x', type: 'ROT13' })).rejects.toThrow(/algorithm "ROT13"/);
  });
});
