import { describe, expect, it } from 'vitest';
import { done, type JsonObject } from '@app/engine';
import { Unwritable } from '@app/store';
import { chainOf, fanOf, item, LEASE_MS, WORKER } from '../driven-execution.ts';
import type { Workbench } from '../store.contract.ts';

export function commitsContract(bench: Workbench): void {
  describe('commits', () => {
    it('writes the run, its successor and the state in one go', async () => {
      const run = bench.drive(chainOf(2));
      const { id } = await run.start(['n1']);
      const [first] = await run.claim();
      const result = await run.finish(first!, [item({ a: 1 })], { logs: ['said'] });
      expect(result).toEqual({ kind: 'committed', ready: [{ id: `${id}_r_1_0`, announcement: 1, queue: run.queue, priority: 3 }], next: null, ended: null });
      expect(await bench.store.listRuns(id, -1, 10)).toMatchObject([{ node: 0, seq: 0, scope: '', executionId: id, status: 'done', attempt: 1, commit: 1, cause: 'start', outputs: [{ port: 0, count: 1 }], error: null, startedAt: 1_000, finishedAt: 1_005, worker: WORKER, logs: ['said'] }]);
      expect(await bench.store.readSnapshot(id)).toMatchObject({ execution: { commits: 2, open: 1, status: 'running' }, complete: true });
      const [second] = await run.claim();
      expect(second!.inputs).toEqual([{ edge: 0, ref: { scope: '', node: 0, seq: 0, port: 0, count: 1 }, from: { scope: '', node: 0, seq: 0, port: 0 } }]);
    });

    it('lets a worker go on with the only successor, all the way to the end', async () => {
      const run = bench.drive(chainOf(12));
      const { id } = await run.start(['n1']);
      let [activation] = await run.claim();
      for (let step = 1; step < 12; step++) {
        const { next, ready, ended } = await run.finish(activation!, [item({ step })], { continueHere: true });
        expect(ready).toEqual([]);
        expect(ended).toBeNull();
        expect(next).toMatchObject({ node: step, seq: 0, attempt: 1, executionId: id, workflowId: 'wf', queue: run.queue });
        expect(await run.claim()).toEqual([]);
        expect(await bench.store.loadItems(id, [next!.inputs[0]!.ref!])).toEqual([[item({ step })]]);
        activation = next!;
      }
      expect(await run.finish(activation!, [item({})], { continueHere: true })).toEqual({ kind: 'committed', ready: [], next: null, ended: 'succeeded' });
      expect(await bench.store.findExecution(id)).toMatchObject({ status: 'succeeded', cause: null, error: null, commits: 13, startedAt: expect.any(Number) as number, finishedAt: expect.any(Number) as number });
      expect((await bench.store.listRuns(id, -1, 100)).map(({ commit, node }) => [commit, node])).toEqual(Array.from({ length: 12 }, (_, index) => [index + 1, index]));
      expect(await bench.store.listOpenActivations(id)).toEqual([]);
    });

    it('does not go on with one of several successors', async () => {
      const run = bench.drive(fanOf(2));
      await run.start(['a']);
      const { next, ready } = await run.finish((await run.claim())[0]!, [item({})], { continueHere: true });
      expect(next).toBeNull();
      expect(ready).toHaveLength(2);
    });

    it('changes nothing for a commit that comes twice', async () => {
      const run = bench.drive(chainOf(3));
      const { id } = await run.start(['n1']);
      const [first] = await run.claim();
      const results = await Promise.all([run.finish(first!), run.finish(first!)]);
      expect(results.map(({ kind }) => kind).sort()).toEqual(['committed', 'fenced']);
      expect((await run.finish(first!)).kind).toBe('fenced');
      expect(await bench.store.listRuns(id, -1, 10)).toHaveLength(1);
      expect(await run.claim()).toHaveLength(1);
    });

    it('fences a worker whose lease was taken away and lets the next one finish', async () => {
      const run = bench.drive(chainOf(2));
      const { id } = await run.start(['n1']);
      const [zombie] = await run.claim();
      await bench.under.shiftClock(LEASE_MS + 1);
      await bench.store.releaseExpired(1_000, 5, 'sweeper', LEASE_MS);
      const [heir] = await run.claim();
      expect(heir).toMatchObject({ id: zombie!.id, attempt: 2, losses: 1 });
      expect(await run.finish(zombie!, [item({ from: 'zombie' })])).toEqual({ kind: 'fenced', ready: [], next: null, ended: null });
      expect((await run.finish(heir!, [item({ from: 'heir' })])).kind).toBe('committed');
      expect(await bench.store.loadItems(id, [{ scope: '', node: 0, seq: 0, port: 0, count: 1 }])).toEqual([[item({ from: 'heir' })]]);
    });

    it('fires a join once, however its branches meet', async () => {
      const width = 40;
      const run = bench.drive(fanOf(width));
      const { id } = await run.start(['a']);
      await run.finish((await run.claim())[0]!);
      const branches = await run.claim();
      expect(branches).toHaveLength(width);
      const results = await Promise.all(branches.map((branch) => run.finish(branch)));
      expect(results.map(({ kind }) => kind)).toEqual(branches.map(() => 'committed'));
      expect(results.flatMap(({ ready }) => ready)).toEqual([{ id: `${id}_r_${width + 1}_0`, announcement: 1, queue: run.queue, priority: 3 }]);
      const [join] = await run.claim();
      expect(join!.inputs).toHaveLength(width);
      expect(join!.inputs.every((input) => input?.ref?.count === 1)).toBe(true);
      await run.finish(join!);
      expect(await run.status()).toBe('succeeded');
      expect(new Set((await bench.store.listRuns(id, -1, 100)).map(({ commit }) => commit)).size).toBe(width + 2);
    });

    it('commits steps of many executions together', async () => {
      const runs = Array.from({ length: 60 }, () => bench.drive(chainOf(4)));
      await Promise.all(runs.map((run) => run.start(['n1'])));
      const names = await Promise.all(runs.map((run) => run.runToEnd()));
      expect(names).toEqual(runs.map(() => ['n1', 'n2', 'n3', 'n4']));
      expect(new Set(await Promise.all(runs.map((run) => run.status())))).toEqual(new Set(['succeeded']));
    });

    it('lets a step that throws fail alone', async () => {
      const runs = Array.from({ length: 5 }, () => bench.drive(chainOf(1)));
      const claimed = await Promise.all(runs.map(async (run) => (await run.start(['n1']), (await run.claim())[0]!)));
      const results = await Promise.allSettled(
        claimed.map((activation, index) => (index === 2 ? bench.store.commit(activation, () => { throw new Error('no such step'); }, runs[index]!.options()) : runs[index]!.finish(activation))),
      );
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
      expect(await bench.store.extendLeases([claimed[2]!], LEASE_MS)).toEqual({ lost: [] });
    });

    it('refuses what cannot be written, alone, and takes another outcome under the same lease', async () => {
      const runs = Array.from({ length: 5 }, () => bench.drive(chainOf(2)));
      const claimed = await Promise.all(runs.map(async (run) => (await run.start(['n1']), (await run.claim())[0]!)));
      const broken = [item({ n: 1n as never }), item(tooDeep())];
      const results = await Promise.allSettled(claimed.map((activation, index) => runs[index]!.finish(activation, index === 1 || index === 3 ? [broken[index >> 1]!] : [item({})], { continueHere: true })));
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
      for (const index of [0, 2, 4]) expect(results[index]).toMatchObject({ value: { kind: 'committed', next: { node: 1 } } });
      for (const index of [1, 3]) {
        expect((results[index] as PromiseRejectedResult).reason).toBeInstanceOf(Unwritable);
        expect(await bench.store.extendLeases([claimed[index]!], LEASE_MS)).toEqual({ lost: [] });
        expect((await runs[index]!.fail(claimed[index]!, 'too much')).ended).toBe('failed');
      }
    });

    it('records a failed try and makes the activation ready again after its delay', async () => {
      const run = bench.drive({ nodes: [{ name: 'a', overrides: { retry: { tries: 3, delayMs: 5_000, factor: 2, maxDelayMs: 60_000, retrySoftFailures: true } } }, { name: 'b' }], edges: ['a -> b'] });
      const { id } = await run.start(['a']);
      const [first] = await run.claim();
      expect(await run.fail(first!, 'once')).toMatchObject({ kind: 'committed', next: null, ended: null });
      expect(await run.claim()).toEqual([]);
      await bench.under.shiftClock(5_001);
      const [second] = await run.claim();
      expect(second).toMatchObject({ id: first!.id, attempt: 2, losses: 0 });
      await run.commit(second!, { ...done([{ port: 0, count: 1, items: [item({ error: 'soft' })] }]), softFailure: true } as never);
      await bench.under.shiftClock(10_001);
      const [third] = await run.claim();
      await run.finish(third!);
      const [record] = await bench.store.loadRuns(id, [{ scope: '', node: 0, seq: 0 }]);
      expect(record).toMatchObject({ status: 'done', attempt: 3 });
      expect(record!.attempts).toMatchObject([
        { attempt: 1, outcome: 'failed', error: { message: 'once' }, worker: WORKER },
        { attempt: 2, outcome: 'soft-failure', error: { code: 'soft_failure' } },
      ]);
    });

    it('writes static data, custom data and cells with the step', async () => {
      const workflow = await bench.store.saveWorkflow({ name: 'w', document: {}, version: { dialect: 'test', program: bench.drive(chainOf(1)).program } });
      const run = bench.drive(chainOf(2));
      const { id } = await run.start(['n1'], { workflowId: workflow.id });
      const [first] = await run.claim();
      const effects = [
        { kind: 'setCell', node: 0, name: 'state', value: { n: [1] } },
        { kind: 'setVar', name: 'v', value: 7 },
      ] as const;
      const { kind } = await run.commit(first!, done([{ port: 0, count: 1, items: [item({})] }], effects), { staticData: [{ owner: 'global', set: { seen: 1 }, removed: [] }], customData: { a: '1' } });
      expect(kind).toBe('committed');
      await run.finish((await run.claim())[0]!, [item({})], { customData: { b: '2' } });
      expect(await bench.store.staticData(workflow.id)).toEqual({ global: { seen: 1 } });
      expect((await bench.store.findExecution(id))!.customData).toEqual({ a: '1', b: '2' });
      expect(await bench.store.loadCells(id, '', [0])).toEqual([{ scope: '', node: 0, name: 'state', value: { n: [1] } }]);
      expect(await bench.store.loadCells(id, '', [-1])).toEqual([{ scope: '', node: -1, name: 'v', value: 7 }]);
    });

    it('writes nothing of a fenced commit', async () => {
      const workflow = await bench.store.saveWorkflow({ name: 'w', document: {}, version: { dialect: 'test', program: bench.drive(chainOf(1)).program } });
      const run = bench.drive(chainOf(2));
      const { id } = await run.start(['n1'], { workflowId: workflow.id });
      const [first] = await run.claim();
      await bench.store.release([first!]);
      await run.finish(first!, [item({})], { staticData: [{ owner: 'global', set: { seen: 1 }, removed: [] }], customData: { a: '1' } });
      expect(await bench.store.staticData(workflow.id)).toEqual({});
      expect((await bench.store.findExecution(id))!.customData).toEqual({});
      expect(await bench.store.listRuns(id, -1, 10)).toEqual([]);
    });

    it('keeps to one place at a time, the queue in the order of the program', async () => {
      const run = bench.drive({ ...fanOf(4), policies: { maxConcurrency: 1, dead: 'off' } });
      await run.start(['a']);
      expect(await run.runToEnd()).toEqual(['a', 'b0', 'b1', 'b2', 'b3', 'z']);
      expect(await run.status()).toBe('succeeded');
    });
  });
}

/** Deeper than a stack: nothing that walks it recursively comes back. */
function tooDeep(): JsonObject {
  let json: JsonObject = {};
  for (let depth = 0; depth < 500_000; depth++) json = { json };
  return json;
}
