import { describe, expect, it } from 'vitest';
import { Conflict, mintApiKey, NotFound } from '@app/store';
import type { Workbench } from '../store.contract.ts';

export function apiKeysContract(bench: Workbench): void {
  const create = async (name: string) => {
    const { key, hash, prefix } = mintApiKey();
    return { key, hash, record: await bench.store.apiKeys.create({ name, hash, prefix }) };
  };

  describe('API keys', () => {
    it('finds a key by its hash, and keeps nothing that opens the API', async () => {
      const { key, hash, record } = await create('robot');
      expect(record).toEqual({ id: expect.any(String), name: 'robot', prefix: key.slice(0, 13), createdAt: expect.any(Number), revokedAt: null });
      expect(Math.abs(record.createdAt - (await bench.store.now()))).toBeLessThan(10_000);
      expect(await bench.store.apiKeys.findByHash(hash)).toEqual(record);
      expect(await bench.store.apiKeys.findByHash(key)).toBeUndefined();
      expect(await bench.store.apiKeys.findByHash(mintApiKey().hash)).toBeUndefined();
    });

    it('stores a hash once', async () => {
      const { hash, record } = await create('once');
      await expect(bench.store.apiKeys.create({ name: 'twice', hash, prefix: 'argosy_' })).rejects.toThrow(Conflict);
      expect(await bench.store.apiKeys.findByHash(hash)).toEqual(record);
    });

    it('revokes one key for good; the first time counts', async () => {
      const [one, other] = [await create('one'), await create('other')];
      const revoked = await bench.store.apiKeys.revoke(one.record.id);
      expect(revoked).toEqual({ ...one.record, revokedAt: expect.any(Number) });
      await bench.under.shiftClock(5);
      expect(await bench.store.apiKeys.revoke(one.record.id)).toEqual(revoked);
      expect(await bench.store.apiKeys.findByHash(one.hash)).toEqual(revoked);
      expect(await bench.store.apiKeys.findByHash(other.hash)).toEqual(other.record);
      await expect(bench.store.apiKeys.revoke('no-such-key')).rejects.toThrow(NotFound);
    });

    it('lists keys by age, page by page, each once', async () => {
      const made: string[] = [];
      for (const name of ['a', 'b', 'c']) made.push((await create(name)).record.id);
      const listed: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: Awaited<ReturnType<typeof bench.store.apiKeys.list>> = await bench.store.apiKeys.list({ limit: 2, ...(cursor && { cursor }) });
        listed.push(...page.rows.map(({ id }) => id));
        cursor = page.nextCursor;
      }
      expect(listed.slice(-3)).toEqual(made);
      expect(new Set(listed).size).toBe(listed.length);
    });
  });
}
