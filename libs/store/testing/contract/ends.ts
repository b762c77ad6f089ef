import { describe, expect, it } from 'vitest';
import { done } from '@app/engine';
import { Conflict, NotFound } from '@app/store';
import { chainOf, fanOf, item } from '../driven-execution.ts';
import type { Workbench } from '../store.contract.ts';

export function endsContract(bench: Workbench): void {
  describe('ends', () => {
    it('fails with its node and keeps the error', async () => {
      const run = bench.drive(chainOf(2));
      const { id } = await run.start(['n1']);
      expect((await run.fail((await run.claim())[0]!, 'no luck')).ended).toBe('failed');
      expect(await bench.store.findExecution(id)).toMatchObject({ status: 'failed', cause: 'node-failed', error: { message: 'no luck', node: 'n1' }, commits: 2 });
      expect((await bench.store.listRuns(id, -1, 10))[0]).toMatchObject({ status: 'failed', error: { message: 'no luck' } });
    });

    it('keeps what a failed execution leaves behind', async () => {
      const run = bench.drive({ nodes: [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }, { name: 'z' }], edges: ['a -> b', 'a -> c', 'a -> d', 'b -> z', 'c -> z', 'd -> z'], policies: { dead: 'off' } });
      const { id } = await run.start(['a']);
      await run.finish((await run.claim())[0]!);
      const claimed = await run.claim();
      const by = (name: string) => claimed.find((activation) => run.name(activation) === name)!;
      await run.suspend(by('b'), { key: 'parked' });
      await run.finish(by('c'));
      expect((await run.fail(by('d'))).ended).toBe('failed');
      const snapshot = (await bench.store.readSnapshot(id))!;
      expect(snapshot.execution).toMatchObject({ status: 'failed', suspended: 1, open: 0 });
      expect([...snapshot.tokens.values()].flatMap(({ tokens }) => tokens)).toMatchObject([{ node: run.node('z'), live: true, ref: { node: run.node('c') } }]);
      expect(snapshot.fired.get(`:${run.node('a')}`)).toBe(1);
      expect(await bench.store.listOpenActivations(id)).toMatchObject([{ id: by('b').id, status: 'waiting', suspension: { key: 'parked' } }]);
      expect(await bench.store.signal(id, 'parked', 1)).toMatchObject({ kind: 'ended' });
      expect(await run.claim()).toEqual([]);
    });

    it('keeps the queue of a failed execution', async () => {
      const run = bench.drive({ ...fanOf(3), policies: { maxConcurrency: 1, dead: 'off' } });
      const { id } = await run.start(['a']);
      await run.finish((await run.claim())[0]!);
      await run.fail((await run.claim())[0]!);
      const { queue } = (await bench.store.readSnapshot(id))!;
      expect(queue!.map((firing) => run.name(firing))).toEqual(['b1', 'b2']);
      expect(queue![0]!.inputs[0]).toMatchObject({ ref: { node: run.node('a'), count: 1 } });
    });

    it('is canceled at once: what runs is fenced and recorded, nothing can be claimed', async () => {
      const run = bench.drive(fanOf(3));
      const { id } = await run.start(['a']);
      await run.finish((await run.claim())[0]!);
      const [running] = await run.claim(1);
      expect(await bench.store.cancel([id], 'user', { message: 'enough' })).toEqual({ executionIds: [id], ready: [] });
      expect(await bench.store.cancel([id], 'user', null)).toEqual({ executionIds: [], ready: [] });
      expect(await bench.store.findExecution(id)).toMatchObject({ status: 'canceled', cause: 'user', error: { message: 'enough' } });
      expect((await run.finish(running!)).kind).toBe('fenced');
      expect(await bench.store.extendLeases([running!], 1_000)).toEqual({ lost: [running!.id] });
      expect(await run.claim()).toEqual([]);
      const runs = await bench.store.listRuns(id, -1, 10);
      expect(runs.map(({ status }) => status)).toEqual(['done', 'canceled']);
      expect(await bench.store.listOpenActivations(id)).toHaveLength(2);
    });

    it('cancels many at once, and leaves out what there is not', async () => {
      const runs = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const run = bench.drive(chainOf(2));
          await run.start(['n1']);
          return run;
        }),
      );
      await runs[0]!.runToEnd();
      const { executionIds } = await bench.store.cancel(['1', 'no id', ...runs.map(({ id }) => id)], 'user', null);
      expect([...executionIds].sort()).toEqual(runs.slice(1).map(({ id }) => id).sort());
      expect(await Promise.all(runs.map((run) => run.status()))).toEqual(['succeeded', ...Array.from({ length: 19 }, () => 'canceled')]);
    });

    it('has one end when a commit and a cancel race', async () => {
      const runs = await Promise.all(
        Array.from({ length: 15 }, async () => {
          const run = bench.drive(chainOf(1));
          await run.start(['n1']);
          return { run, activation: (await run.claim())[0]! };
        }),
      );
      const outcomes = await Promise.all(runs.map(({ run, activation }) => Promise.all([run.finish(activation), bench.store.cancel([run.id], 'user', null)])));
      const statuses = await Promise.all(runs.map(({ run }) => run.status()));
      outcomes.forEach(([commit, canceled], index) => {
        const isCanceled = canceled.executionIds.length > 0;
        expect(isCanceled).toBe(commit.kind === 'fenced');
        expect(statuses[index]).toBe(isCanceled ? 'canceled' : 'succeeded');
      });
    });

    it('knows of everything that was open when claims and a cancel race', async () => {
      const runs = await Promise.all(
        Array.from({ length: 12 }, async () => {
          const run = bench.drive(fanOf(20));
          await run.start(['a']);
          await run.finish((await run.claim())[0]!);
          return run;
        }),
      );
      await Promise.all(runs.flatMap((run) => [...Array.from({ length: 10 }, () => run.claim(2)), bench.store.cancel([run.id], 'user', null)]));
      for (const run of runs) {
        const canceled = (await bench.store.listRuns(run.id, -1, 100)).filter(({ status }) => status === 'canceled');
        const left = await bench.store.listOpenActivations(run.id);
        expect([...canceled, ...left].map(({ node }) => node).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
      }
    });

    it('names nodes that never ran for lack of inputs', async () => {
      const run = bench.drive({ nodes: [{ name: 'a', ports: ['yes', 'no'] }, { name: 'b' }, { name: 'c' }, { name: 'm', entrance: 'queues', overrides: { onStarved: { kind: 'nothing' } } }], edges: ['a.yes -> b', 'a.no -> c', 'b -> m.0', 'c -> m.1'], policies: { dead: 'off' } });
      const { id } = await run.start(['a']);
      await run.take((await run.claim())[0]!, 'yes');
      await run.runToEnd();
      expect(await bench.store.findExecution(id)).toMatchObject({ status: 'succeeded', warnings: [expect.stringContaining('"m"') as string] });
      expect([...(await bench.store.readSnapshot(id))!.tokens.values()]).toHaveLength(1);
    });

    it('goes on from another execution with its history', async () => {
      const run = bench.drive(chainOf(3));
      const { id: failed } = await run.start(['n1'], {}, [item({ begin: true })]);
      await run.finish((await run.claim())[0]!, [item({ kept: 1 })]);
      await run.fail((await run.claim())[0]!);
      const snapshot = (await bench.store.readSnapshot(failed))!;
      const runs = (await bench.store.listRuns(failed, -1, 10)).filter(({ status }) => status === 'done');
      const fired = new Map([[`:${run.node('n1')}`, 1]]) as unknown as typeof snapshot.fired;
      const base = { ...snapshot, fired, execution: { ...snapshot.execution, status: 'running' as const, ending: null } };
      const retry = bench.drive(chainOf(3));
      const input = { scope: '', node: 0, seq: 0, port: 0, count: 1 };
      await retry.store
        .createExecution(retry.request({ retryOf: failed, mode: 'retry', continues: { executionId: failed, snapshot: base, runs, cells: [{ scope: '', node: 0, name: 'c', value: 1 }] } }), (before, now) => retry.begin(['n2'])(before, now))
        .then(({ id }) => (retry.id = id));
      expect(await bench.store.loadItems(retry.id, [input])).toEqual([[item({ kept: 1 })]]);
      expect(await bench.store.loadItems(retry.id, [{ ...input, port: -1 }])).toEqual([[item({ begin: true })]]);
      expect(await bench.store.loadCells(retry.id, '', [0])).toHaveLength(1);
      expect(await retry.runToEnd()).toEqual(['n2', 'n3']);
      expect((await bench.store.listRuns(retry.id, -1, 10)).map((done) => [retry.name(done), done.seq])).toEqual([['n1', 0], ['n2', 0], ['n3', 0]]);
      expect(await bench.store.findExecution(retry.id)).toMatchObject({ status: 'succeeded', retryOf: failed });
      await expect(bench.store.deleteExecution(failed)).rejects.toThrow(new Conflict(`Execution ${failed} holds items that its retry ${retry.id} refers to; delete that one first.`));
      expect(await bench.store.loadItems(retry.id, [input])).toEqual([[item({ kept: 1 })]]);
      await bench.store.deleteExecution(retry.id);
      expect((await bench.store.deleteExecution(failed)).id).toBe(failed);
    });

    it('deletes an ended execution and refuses an open one', async () => {
      const run = bench.drive(chainOf(1));
      const { id } = await run.start(['n1'], { idempotencyKey: `delete ${run.queue}` });
      await expect(bench.store.deleteExecution(id)).rejects.toThrow(Conflict);
      await run.runToEnd();
      expect((await bench.store.deleteExecution(id)).id).toBe(id);
      expect(await bench.store.findExecution(id)).toBeUndefined();
      await expect(bench.store.deleteExecution(id)).rejects.toThrow(NotFound);
    });

    it('stops at a budget', async () => {
      const run = bench.drive({ ...chainOf(5), policies: { budget: { runs: 2, onExhausted: 'fail' } } });
      await run.start(['n1']);
      await run.runToEnd();
      expect(await bench.store.findExecution(run.id)).toMatchObject({ status: 'failed', cause: 'budget' });
    });

    it('halts at once when a node says so', async () => {
      const run = bench.drive(fanOf(2));
      await run.start(['a']);
      expect((await run.commit((await run.claim())[0]!, done([{ port: 0, count: 1 }], [{ kind: 'halt' }]))).ended).toBe('succeeded');
    });
  });
}
