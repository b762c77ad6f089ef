import { describe, expect, it } from 'vitest';
import type { Item } from '@app/engine';
import { layOut, parseItems } from './payload.ts';
import { PayloadCache } from './payload-cache.ts';

const items = (count: number, size: number): Item[] => Array.from({ length: count }, (_, index) => ({ json: { index, text: 'x'.repeat(size) } }));

describe('payloads', () => {
  it('stay together while they are small', () => {
    const [one, two] = [items(2, 10), items(1, 10)];
    const { inline, chunks } = layOut([{ port: 0, count: 2, items: one }, { port: 1, count: 0, items: [] }, { port: 2, count: 1, items: two }]);
    expect(JSON.parse(inline!)).toEqual([one, two]);
    expect(chunks).toEqual([]);
  });

  it('are cut into chunks that know their place', () => {
    const large = items(40, 20_000);
    const { inline, chunks } = layOut([{ port: 3, count: 40, items: large }]);
    expect(inline).toBeNull();
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.map(({ chunk }) => chunk)).toEqual(chunks.map((_, index) => index));
    expect(chunks.flatMap(({ text }) => parseItems(text))).toEqual(large);
    let first = 0;
    for (const { firstItem, itemCount } of chunks) {
      expect(firstItem).toBe(first);
      first += itemCount;
    }
    expect(first).toBe(40);
  });

  it('need nothing when there is nothing', () => {
    expect(layOut([{ port: 0, count: 1 }])).toEqual({ inline: null, chunks: [], texts: [] });
  });

  it('are forgotten by the cache in the order of their last use', () => {
    // Room for three entries of ten characters, an entry being 160 on top of its text.
    const cache = new PayloadCache(3 * 170 - 1, 20);
    cache.set('a', '0123456789');
    cache.set('b', '0123456789');
    expect(cache.get('a')).toBe('0123456789');
    cache.set('c', '0123456789');
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['0123456789', undefined, '0123456789']);
    cache.set('d', 'x'.repeat(21));
    expect(cache.get('d')).toBeUndefined();
  });
});
