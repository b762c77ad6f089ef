import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@app/engine';
import { firstOf } from '../../testing/run-node.ts';
import { renameKeys } from './rename-keys.ts';

const keys = (...key: JsonObject[]): JsonObject => ({ keys: { key } });
const pattern = (searchRegex: string, replaceRegex: string, options: JsonObject = {}): JsonObject => ({
  additionalOptions: { regexReplacement: { replacements: [{ searchRegex, replaceRegex, options }] } },
});
const run = (parameters: JsonObject, input: JsonObject) => firstOf(renameKeys, { parameters, inputs: [[input]] });

describe('Rename Keys', () => {
  it('renames fields by path and ignores missing ones', async () => {
    const parameters = keys({ currentKey: 'o.a', newKey: 'o.z' }, { currentKey: 'gone', newKey: 'x' }, { currentKey: 'b', newKey: 'b' });
    expect(await run(parameters, { o: { a: 1, b: 2 }, b: 3 })).toEqual([{ o: { b: 2, z: 1 }, b: 3 }]);
  });

  it('renames by pattern, all the way down or to a depth', async () => {
    const input = { user_name: 1, inner: { user_age: 2, list: [{ user_x: 3 }] } };
    expect(await run(pattern('^user_', ''), input)).toEqual([{ name: 1, inner: { age: 2, list: [{ x: 3 }] } }]);
    expect(await run(pattern('^user_', '', { depth: 0 }), input)).toEqual([{ name: 1, inner: input.inner }]);
    expect(await run(pattern('USER', 'u', { caseInsensitive: true }), { user: 1 })).toEqual([{ u: 1 }]);
  });

  it('makes a broken pattern an error item when it continues on failure', async () => {
    await expect(run(pattern('(', ''), { a: 1 })).rejects.toThrow(/regular expression/);
    const [item] = await firstOf(renameKeys, { parameters: pattern('(', ''), inputs: [[{ a: 1 }]], continueOnFail: true });
    expect(item).toHaveProperty('error');
  });
});
