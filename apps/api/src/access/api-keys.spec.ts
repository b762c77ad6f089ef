import { describe, expect, it } from 'vitest';
import { MemoryStore, mintApiKey, type ApiKeyStore } from '@app/store';
import { ApiKeys } from './api-keys.ts';

/** Keys on a store that counts what it is asked, with a clock to turn. */
function setup(bootstrap: readonly string[] = []) {
  const store = new MemoryStore(Date.now);
  const asked = { find: 0, list: 0 };
  const stored: ApiKeyStore = {
    create: (key) => store.apiKeys.create(key),
    revoke: (id) => store.apiKeys.revoke(id),
    findByHash: (hash) => (asked.find++, store.apiKeys.findByHash(hash)),
    list: (page) => (asked.list++, store.apiKeys.list(page)),
  };
  let time = 0;
  const keys = new ApiKeys({ bootstrap, stored, now: () => time });
  const create = async () => {
    const { key, ...rest } = mintApiKey();
    return { key, ...(await stored.create({ name: 'k', ...rest })) };
  };
  return { keys, stored, asked, create, pass: (ms: number) => void (time += ms) };
}

describe('the keys of the API', () => {
  it('asks the store once about a good key, for requests that come together and for those of the next seconds', async () => {
    const { keys, asked, create } = setup();
    const { key } = await create();
    expect(await Promise.all(Array.from({ length: 5 }, () => keys.standingOf(key)))).toEqual(Array(5).fill('good'));
    expect(await keys.standingOf(key)).toBe('good');
    expect(asked.find).toBe(1);
  });

  it('turns a revoked key away within ten seconds', async () => {
    const { keys, stored, create, pass } = setup();
    const { key, id } = await create();
    expect(await keys.standingOf(key)).toBe('good');
    await stored.revoke(id);
    pass(10_000);
    expect(await keys.standingOf(key)).toBe('revoked');
  });

  it('takes a key as soon as it is made, though it was unknown a moment before', async () => {
    const { keys, stored } = setup();
    const { key, ...rest } = mintApiKey();
    expect(await keys.standingOf(key)).toBe('unknown');
    await stored.create({ name: 'late', ...rest });
    expect(await keys.standingOf(key)).toBe('good');
  });

  it('asks nobody about a text that is no key of ours, nor about a bootstrap key', async () => {
    const { keys, asked } = setup(['a-bootstrap-key!']);
    for (const text of ['', 'x', 'argosy_short', `argosy_${'ä'.repeat(43)}`, `argosy_${'a'.repeat(44)}`]) expect(await keys.standingOf(text)).toBe('unknown');
    expect(await keys.standingOf('a-bootstrap-key!')).toBe('good');
    expect(await keys.areRequired()).toBe(true);
    expect(asked).toEqual({ find: 0, list: 0 });
  });

  it('requires a key from soon after the first one is made, and still when all are revoked', async () => {
    const { keys, stored, asked, create, pass } = setup();
    expect([await keys.areRequired(), await keys.areRequired()]).toEqual([false, false]);
    expect(asked.list).toBe(1);
    const { id } = await create();
    pass(10_000);
    expect(await keys.areRequired()).toBe(true);
    await stored.revoke(id);
    pass(10_000);
    expect(await keys.areRequired()).toBe(true);
    expect(await new ApiKeys({ bootstrap: [], stored }).areRequired()).toBe(true);
  });
});
