import { describe, expect, it } from 'vitest';
import { done, type Item, type JsonObject, type OutputRef } from '@app/engine';
import { NotFound } from '@app/store';
import { chainOf, item } from '../driven-execution.ts';
import type { Workbench } from '../store.contract.ts';

export function payloadsContract(bench: Workbench): void {
  const written = async (...outputs: Item[][]): Promise<{ id: string; refs: OutputRef[] }> => {
    const run = bench.drive({ nodes: [{ name: 'a', ports: outputs.map((_, port) => `p${port}`) }], edges: [] });
    const { id } = await run.start(['a']);
    await run.commit((await run.claim())[0]!, done(outputs.map((items, port) => ({ port, count: items.length, items }))));
    return { id, refs: outputs.map((items, port) => ({ scope: '', node: 0, seq: 0, port, count: items.length })) };
  };
  const deep = (levels: number): JsonObject => {
    let value: JsonObject = { end: true };
    for (let level = 0; level < levels; level++) value = { in: value };
    return value;
  };

  describe('payloads', () => {
    it('gives items back exactly: order of keys, numbers, odd characters, depth', async () => {
      const odd = [item({ z: 1, a: 1e308, '1': -0.1, 'ключ': '\u0000\ud800"\\{}, NULL', list: [null, true, [], {}] }), { json: deep(500), pairedItem: { item: 0, input: 1 } }];
      const { id, refs } = await written(odd, [], [item({ other: 'port' })]);
      const [first, second, third] = await bench.store.loadItems(id, refs);
      expect(JSON.stringify(first)).toBe(JSON.stringify(odd));
      expect(second).toEqual([]);
      expect(third).toEqual([item({ other: 'port' })]);
    });

    it('gives large outputs back whole and in slices', async () => {
      const many = Array.from({ length: 3_000 }, (_, index) => item({ index, text: 'x'.repeat(400) }));
      const { id, refs } = await written(many, [item({ small: 1 })]);
      expect(await bench.store.loadItems(id, [refs[0]!])).toEqual([many]);
      expect(await bench.store.loadItems(id, [refs[1]!])).toEqual([[item({ small: 1 })]]);
      expect(await bench.store.loadSlice(id, refs[0]!, 637, 1_903)).toEqual(many.slice(637, 1_903));
      expect(await bench.store.loadSlice(id, refs[0]!, 2_999, 9_999)).toEqual(many.slice(2_999));
      expect(await bench.store.loadSlice(id, refs[1]!, 0, 1)).toEqual([item({ small: 1 })]);
    });

    it('begins an execution with large items too', async () => {
      const run = bench.drive(chainOf(1));
      const many = Array.from({ length: 500 }, (_, index) => item({ index, text: 'y'.repeat(100) }));
      const { id } = await run.start(['n1'], {}, many);
      expect(await bench.store.loadItems(id, [(await run.claim())[0]!.inputs[0]!.ref!])).toEqual([many]);
    });

    it('follows outputs that pass on what another run sent, and stamps what asks for it', async () => {
      const run = bench.drive(chainOf(3));
      const { id } = await run.start(['n1']);
      const items = [item({ a: 1 }), { ...item({ a: 2 }), pairedItem: 7 }];
      await run.finish((await run.claim())[0]!, items);
      const [second] = await run.claim();
      const ref = { ...second!.inputs[0]!.ref!, restamp: 0 };
      await run.commit(second!, done([{ port: 0, count: 2, ref }]));
      const [third] = await run.claim();
      expect(third!.inputs[0]).toMatchObject({ ref, from: { node: 1 } });
      const stamped = [{ json: { a: 1 }, pairedItem: { item: 0 } }, { json: { a: 2 }, pairedItem: { item: 1 } }];
      expect(await bench.store.loadItems(id, [third!.inputs[0]!.ref!])).toEqual([stamped]);
      expect(await bench.store.loadItems(id, [{ scope: '', node: 1, seq: 0, port: 0, count: 2 }])).toEqual([stamped]);
      expect(await bench.store.loadSlice(id, { ...ref, restamp: 1 }, 1, 2)).toEqual([{ json: { a: 2 }, pairedItem: { item: 1, input: 1 } }]);
    });

    it('reads a list as one output, its items walking on in the runs they came from', async () => {
      const run = bench.drive({ nodes: [{ name: 'a' }, { name: 'l', entrance: 'each', ports: ['loop', 'done'] }, { name: 'b' }], edges: ['a -> l', 'l.loop -> b', 'b -> l'], policies: { dead: 'off' } });
      const { id } = await run.start(['a']);
      await run.finish((await run.claim())[0]!, [item({ from: 'a' })]);
      for (let round = 0; round < 2; round++) {
        await run.commit((await run.claim())[0]!, done([{ port: 0, count: 1, items: [item({ round })] }], [{ kind: 'append', list: 'seen', input: 0 }]));
        await run.finish((await run.claim())[0]!, [item({ round, n: 1 }), item({ round, n: 2 })]);
      }
      const [last] = await run.claim();
      await run.commit(last!, done([{ port: 1, count: 5, list: 'seen' }], [{ kind: 'append', list: 'seen', input: 0 }]));
      const entries = await bench.store.loadList(id, '', 1, 'seen');
      expect(entries.map(({ entry, firstItem, ref }) => [entry, firstItem, ref?.count])).toEqual([[0, 0, 1], [1, 1, 2], [2, 3, 2]]);
      const [items] = await bench.store.loadItems(id, [{ scope: '', node: 1, seq: 2, port: 1, count: 5 }]);
      expect(items!.map(({ json }) => json)).toEqual([{ from: 'a' }, { round: 0, n: 1 }, { round: 0, n: 2 }, { round: 1, n: 1 }, { round: 1, n: 2 }]);
      expect(items![2]!.pairedItem).toEqual({ item: 1, sourceOverwrite: { previousNode: '#2', previousNodeOutput: 0, previousNodeRun: 0 } });
      expect((await bench.store.loadSlice(id, { scope: '', node: 1, seq: 2, port: 1, count: 5 }, 2, 4)).map(({ json }) => json)).toEqual([{ round: 0, n: 2 }, { round: 1, n: 1 }]);
    });

    it('says which output it does not have', async () => {
      const { id, refs } = await written([item({})]);
      await expect(bench.store.loadItems(id, [{ ...refs[0]!, node: 9 }])).rejects.toThrow(NotFound);
      await expect(bench.store.loadItems(id, [{ ...refs[0]!, port: 4 }])).rejects.toThrow(NotFound);
    });

    it('gives callers items of their own', async () => {
      const { id, refs } = await written([item({ a: 1 })]);
      (await bench.store.loadItems(id, refs))[0]![0]!.json['a'] = 2;
      expect(await bench.store.loadItems(id, refs)).toEqual([[item({ a: 1 })]]);
    });
  });
}
