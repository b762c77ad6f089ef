import { describe, expect, it } from 'vitest';
import { NotFound } from '@app/store';
import { chainOf, fanOf, item } from '../driven-execution.ts';
import type { Workbench } from '../store.contract.ts';

export function historyContract(bench: Workbench): void {
  describe('history', () => {
    it('lists runs in the order of their commits, page by page', async () => {
      const run = bench.drive(chainOf(7));
      const { id } = await run.start(['n1']);
      await run.runToEnd();
      const pages: number[][] = [];
      for (let after = -1; ; ) {
        const page = await bench.store.listRuns(id, after, 3);
        if (page.length === 0) break;
        pages.push(page.map(({ node }) => node));
        after = page.at(-1)!.commit;
      }
      expect(pages).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
      await expect(bench.store.listRuns('1', -1, 3)).rejects.toThrow(NotFound);
    });

    it('finds runs by key in the order asked for, and by node', async () => {
      const run = bench.drive({ nodes: [{ name: 'a' }, { name: 'b', entrance: 'each' }], edges: ['a -> b', 'b -> b'], policies: { dead: 'off' } });
      const { id } = await run.start(['a']);
      await run.finish((await run.claim())[0]!);
      for (let round = 0; round < 3; round++) await run.finish((await run.claim())[0]!);
      const key = (node: number, seq: number) => ({ scope: '', node, seq });
      expect((await bench.store.loadRuns(id, [key(1, 2), key(0, 0), key(5, 5)])).map(({ node, seq }) => [node, seq])).toEqual([[1, 2], [0, 0]]);
      expect((await bench.store.loadRunsOfNodes(id, '', [1])).map(({ seq }) => seq)).toEqual([0, 1, 2]);
      expect(await bench.store.loadRunsOfNodes(id, '1.0.0', [1])).toEqual([]);
    });

    it('records nodes that were skipped', async () => {
      const run = bench.drive({ nodes: [{ name: 'a', ports: ['x', 'y'] }, { name: 'b' }, { name: 'c' }], edges: ['a.x -> b', 'a.y -> c'] });
      const { id } = await run.start(['a']);
      await run.take((await run.claim())[0]!, 'x');
      expect((await bench.store.listRuns(id, -1, 10)).map((record) => [run.name(record), record.status])).toEqual([['a', 'done'], ['c', 'skipped']]);
    });

    it('reads a snapshot that is complete', async () => {
      const run = bench.drive(fanOf(3));
      const { id } = await run.start(['a']);
      await run.finish((await run.claim())[0]!);
      await run.finish(await run.claimOne('b1'));
      const snapshot = (await bench.store.readSnapshot(id))!;
      expect(snapshot.complete).toBe(true);
      expect(snapshot.execution).toMatchObject({ commits: 3, open: 2 });
      expect(snapshot.scopes.get('')).toMatchObject({ open: 2, held: 1 });
      expect(snapshot.tokens.get(`:${run.node('z')}`)!.tokens).toMatchObject([{ slot: 1, live: true }]);
      expect(snapshot.waiting.get('')).toEqual([run.node('z')]);
      expect(Object.fromEntries(snapshot.fired)).toEqual({ [`:${run.node('a')}`]: 1, [`:${run.node('b0')}`]: 1, [`:${run.node('b1')}`]: 1, [`:${run.node('b2')}`]: 1 });
      expect(await bench.store.readSnapshot('1')).toBeUndefined();
    });

    it('lists executions by status, workflow and project, newest first', async () => {
      const workflowId = `listed ${Math.random()}`;
      const run = bench.drive(chainOf(1));
      const ids: string[] = [];
      for (let index = 0; index < 5; index++) ids.unshift((await run.start(['n1'], { workflowId, project: index < 2 ? 'left' : 'right' })).id);
      const [one, two] = await run.claim(2);
      await run.fail(one!);
      await run.finish(two!);
      const list = async (filter: object) => (await bench.store.listExecutions({ limit: 10, workflowId, ...filter })).rows.map(({ id }) => id);
      expect(await list({})).toEqual(ids);
      expect(await list({ project: 'left' })).toEqual(ids.slice(3));
      expect(await list({ statuses: ['failed'] })).toEqual([one!.executionId]);
      expect(await list({ statuses: ['failed', 'succeeded'] })).toEqual(ids.filter((id) => id === one!.executionId || id === two!.executionId));
      expect(await list({ statuses: ['queued'] })).toEqual(ids.filter((id) => id !== one!.executionId && id !== two!.executionId));
      expect(await list({ statuses: ['waiting'] })).toEqual([]);
      const page = await bench.store.listExecutions({ limit: 2, workflowId });
      expect(page.rows.map(({ id }) => id)).toEqual(ids.slice(0, 2));
      const rest = await bench.store.listExecutions({ limit: 5, workflowId, cursor: page.nextCursor! });
      expect(rest.rows.map(({ id }) => id)).toEqual(ids.slice(2));
      expect(rest.nextCursor).toBeNull();
    });

    it('runs a region with an iteration per scope', async () => {
      const run = bench.drive({
        nodes: [{ name: 'm', ports: ['done'], regionSpec: { driver: { kind: 'map', maxConcurrency: 2, batch: null }, entries: ['x'] } }, { name: 'x', region: 'm' }, { name: 'y', region: 'm' }, { name: 'end' }],
        edges: ['x -> y', 'm.done -> end'],
      });
      const { id } = await run.start(['m']);
      await run.commit((await run.claim())[0]!, { kind: 'done', outputs: [], effects: [{ kind: 'enter', count: 5 }] });
      const names: string[] = [];
      for (let ready = await run.claim(); ready.length > 0; ready = await run.claim()) {
        names.push(...ready.map((activation) => `${activation.scope}/${run.name(activation)}`));
        await Promise.all(ready.map((activation) => run.finish(activation, [item({ at: activation.scope })])));
      }
      expect(names.filter((name) => name.endsWith('/y')).sort()).toEqual([0, 1, 2, 3, 4].map((index) => `0.0.${index}/y`));
      expect(names.at(-1)).toBe('/end');
      expect(await run.status()).toBe('succeeded');
      const [region] = await bench.store.loadRuns(id, [{ scope: '', node: 0, seq: 0 }]);
      expect(region!.outputs).toEqual([{ port: 0, count: 5, list: 'results.0', entries: 5 }]);
      const [results] = await bench.store.loadItems(id, [{ scope: '', node: 0, seq: 0, port: 0, count: 5 }]);
      expect(results!.map(({ json }) => json['at'])).toEqual([0, 1, 2, 3, 4].map((index) => `0.0.${index}`));
    });

    it.each([
      ['drop', ['0 a', '0 b', '3 a', '3 b'], 2],
      ['null', ['0 a', '0 b', '3 a', '3 b'], 4],
    ] as const)('gives the results of a region in their order when some iterations fail: %s', async (onIterationError, items, count) => {
      const run = bench.drive({
        nodes: [{ name: 'm', ports: ['done'], regionSpec: { driver: { kind: 'map', maxConcurrency: 4, batch: null }, entries: ['x'], onIterationError } }, { name: 'x', region: 'm' }, { name: 'end' }],
        edges: ['m.done -> end'],
      });
      const { id } = await run.start(['m']);
      await run.commit((await run.claim())[0]!, { kind: 'done', outputs: [], effects: [{ kind: 'enter', count: 4 }] });
      const byIndex = new Map((await run.claim()).map((activation) => [Number(activation.scope.split('.').at(-1)), activation]));
      for (const index of [3, 1, 2, 0]) {
        const activation = byIndex.get(index)!;
        if (index === 1 || index === 2) await run.fail(activation);
        else await run.finish(activation, ['a', 'b'].map((name) => item({ at: `${index} ${name}` })));
      }
      const [region] = await bench.store.loadRuns(id, [{ scope: '', node: 0, seq: 0 }]);
      expect(region!.outputs).toEqual([{ port: 0, count, list: 'results.0', entries: 4 }]);
      const at = (list: readonly { readonly json: { readonly [key: string]: unknown } }[]) => list.map(({ json }) => json['at']);
      const ref = { scope: '', node: 0, seq: 0, port: 0, count };
      expect(at((await bench.store.loadItems(id, [ref]))[0]!)).toEqual(items);
      expect(at(await bench.store.loadSlice(id, ref, 1, 3))).toEqual(items.slice(1, 3));
    });
  });
}
