import { describe, expect, it } from 'vitest';
import { done } from '@app/engine';
import { chainOf, fanOf, item } from '../driven-execution.ts';
import type { Workbench } from '../store.contract.ts';

export function suspensionsContract(bench: Workbench): void {
  const parked = async (suspension = {}) => {
    const run = bench.drive(chainOf(2));
    await run.start(['n1']);
    const [activation] = await run.claim();
    const result = await run.suspend(activation!, suspension);
    return { run, id: run.id, activation: activation!, result };
  };

  describe('suspensions and signals', () => {
    it('parks an activation, and the execution waits', async () => {
      const { run, id, result, activation } = await parked({ key: 'approve' });
      expect(result).toEqual({ kind: 'committed', ready: [], next: null, ended: null });
      expect(await run.status()).toBe('waiting');
      expect(await run.claim()).toEqual([]);
      expect(await bench.store.listOpenActivations(id)).toMatchObject([{ id: activation.id, status: 'waiting', suspension: { key: 'approve', wait: 'human', until: null, resume: 'complete' }, leaseUntil: null }]);
    });

    it('wakes it with the payload of its signal, once', async () => {
      const { run, id, activation } = await parked({ key: 'approve' });
      const delivered = await bench.store.signal(id, 'approve', { yes: ['"', null, 1.5] });
      expect(delivered).toMatchObject({ kind: 'delivered', ready: [{ id: activation.id, announcement: 2 }] });
      expect(await bench.store.signal(id, 'approve', { yes: false })).toEqual({ kind: 'duplicate', ready: [] });
      expect(await run.status()).toBe('running');
      const [woken] = await run.claim();
      expect(woken).toMatchObject({ id: activation.id, attempt: 2, wasSuspended: true, resume: { cause: 'signal', payload: { yes: ['"', null, 1.5] } } });
      await run.finish(woken!);
      await run.runToEnd();
      expect(await run.status()).toBe('succeeded');
    });

    it('keeps a signal that comes early for whoever begins to wait for it', async () => {
      const run = bench.drive(chainOf(2));
      const { id } = await run.start(['n1']);
      const [activation] = await run.claim();
      expect(await bench.store.signal(id, 'early', 'bird')).toEqual({ kind: 'stored', ready: [] });
      expect(await bench.store.signal(id, 'early', 'worm')).toEqual({ kind: 'duplicate', ready: [] });
      const { ready } = await run.suspend(activation!, { key: 'early' });
      expect(ready).toMatchObject([{ id: activation!.id }]);
      expect((await run.claim())[0]).toMatchObject({ resume: { cause: 'signal', payload: 'bird' } });
    });

    it.each(['human', 'children'] as const)('counts no wait (%s) as a try, and hands a payload on to the next try but never the ends of called executions', async (wait) => {
      const run = bench.drive({ nodes: [{ name: 'a', overrides: { retry: { tries: 2, delayMs: 0, factor: 1, maxDelayMs: 0, retrySoftFailures: false } } }], edges: [] });
      const { id } = await run.start(['a']);
      await run.suspend((await run.claim())[0]!, { key: 'k', wait, resume: 'reenter', children: wait === 'children' ? 1 : 0 });
      if (wait === 'human') await bench.store.signal(id, 'k', 'answer');
      else {
        const child = bench.drive(chainOf(1));
        await child.start(['n1'], { parent: { executionId: id, activation: { scope: '', node: 0, seq: 0 }, index: 0 } });
        await child.finish((await child.claim())[0]!);
      }
      const [woken] = await run.claim();
      expect(woken).toMatchObject({ attempt: 2, wakes: 1, resume: { cause: wait === 'human' ? 'signal' : 'children' } });
      expect((await run.fail(woken!)).ended).toBeNull();
      const [again] = await run.claim();
      expect(again).toMatchObject({ attempt: 3, wakes: 1, resume: wait === 'human' ? { payload: 'answer' } : null });
      expect((await run.fail(again!)).ended).toBe('failed');
    });

    it('delivers exactly one of many signals that arrive together', async () => {
      const { run, id } = await parked({ key: 'race' });
      const results = await Promise.all(Array.from({ length: 10 }, (_, index) => bench.store.signal(id, 'race', index)));
      expect(results.map(({ kind }) => kind).sort()).toEqual(['delivered', ...Array.from({ length: 9 }, () => 'duplicate')]);
      expect(await run.claim()).toHaveLength(1);
    });

    it('matches a signal and a suspension that cross', async () => {
      const runs = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const run = bench.drive(chainOf(1));
          await run.start(['n1']);
          return { run, activation: (await run.claim())[0]! };
        }),
      );
      await Promise.all(runs.flatMap(({ run, activation }) => [run.suspend(activation, { key: 'cross' }), bench.store.signal(run.id, 'cross', 1)]));
      const woken = await Promise.all(runs.map(({ run }) => run.claim()));
      expect(woken.map((list) => list.length)).toEqual(runs.map(() => 1));
    });

    it('says when an execution has ended or does not exist', async () => {
      const run = bench.drive(chainOf(1));
      await run.start(['n1']);
      await run.runToEnd();
      expect(await bench.store.signal(run.id, 'late', 1)).toEqual({ kind: 'ended', ready: [] });
      expect(await bench.store.signal('1', 'x', 1)).toEqual({ kind: 'unknown', ready: [] });
      expect(await bench.store.signal('not an id', 'x', 1)).toEqual({ kind: 'unknown', ready: [] });
    });

    it('wakes at its time and not before', async () => {
      const until = (await bench.store.now()) + 60_000;
      const { run, id, activation } = await parked({ wait: 'time', key: 't', until });
      expect(await bench.store.findExecution(id)).toMatchObject({ status: 'waiting', waitTill: until });
      expect((await bench.store.fireTimers(1_000)).map((ready) => ready.id)).not.toContain(activation.id);
      await bench.under.shiftClock(60_001);
      expect((await bench.store.fireTimers(1_000)).map((ready) => ready.id)).toContain(activation.id);
      expect((await bench.store.fireTimers(1_000)).map((ready) => ready.id)).not.toContain(activation.id);
      expect((await run.claim())[0]).toMatchObject({ resume: { cause: 'time', payload: null } });
    });

    it('lets other branches go on while one waits', async () => {
      const run = bench.drive(fanOf(2));
      await run.start(['a']);
      await run.finish((await run.claim())[0]!);
      const [one, two] = await run.claim();
      await run.suspend(one!, { key: 'hold' });
      expect(await run.status()).toBe('running');
      await run.finish(two!);
      expect(await run.status()).toBe('waiting');
      await bench.store.signal(run.id, 'hold', null);
      expect(await run.runToEnd()).toEqual([run.name(one!), 'z']);
      expect(await run.status()).toBe('succeeded');
    });

    it('parks an activation again when it asks for more', async () => {
      const { run, id } = await parked({ key: 'first' });
      await bench.store.signal(id, 'first', 1);
      const [again] = await run.claim();
      await run.suspend(again!, { key: 'second' });
      expect(await run.status()).toBe('waiting');
      expect((await bench.store.listOpenActivations(id))[0]).toMatchObject({ status: 'waiting', resume: null, suspension: { key: 'second' } });
      expect((await bench.store.signal(id, 'second', 2)).kind).toBe('delivered');
    });
  });

  describe('child executions', () => {
    const withChildren = async (count: number) => {
      const parent = bench.drive(chainOf(2));
      await parent.start(['n1']);
      const [activation] = await parent.claim();
      const child = bench.drive(chainOf(2));
      const { scope, node, seq } = activation!;
      const children = Array.from({ length: count }, (_, index) => ({
        execution: child.request({ mode: 'integrated' as const, parent: { executionId: parent.id, activation: { scope, node, seq }, index } }),
        decide: child.begin(['n1']),
      }));
      const result = await parent.suspend(activation!, { key: 'children', wait: 'children', children: count }, { children });
      return { parent, child, activation: activation!, result };
    };

    it('creates them with the commit that waits for them, and wakes when the last has ended', async () => {
      const { parent, child, activation, result } = await withChildren(3);
      expect(result.ready.map(({ queue }) => queue)).toEqual([child.queue, child.queue, child.queue]);
      expect(await parent.status()).toBe('waiting');
      const children = await bench.store.listChildren(parent.id, activation);
      expect(children.map(({ parent: link }) => link?.index)).toEqual([0, 1, 2]);
      expect(await bench.store.signal(parent.id, 'children', 1)).toMatchObject({ kind: 'stored' });
      const first = await child.claim();
      await Promise.all(first.map((claimed) => child.finish(claimed)));
      const second = await child.claim();
      const results = await Promise.all(second.map((claimed) => child.finish(claimed)));
      expect(results.flatMap(({ ready }) => ready)).toMatchObject([{ id: activation.id }]);
      const [woken] = await parent.claim();
      expect(woken).toMatchObject({ id: activation.id, wasSuspended: true, resume: { cause: 'children', payload: null } });
      await parent.finish(woken!);
      await parent.runToEnd();
      expect(await parent.status()).toBe('succeeded');
    });

    it('wakes for children that fail or are canceled', async () => {
      const { parent, child, activation } = await withChildren(2);
      const [one, two] = await child.claim();
      await child.fail(one!);
      expect(await parent.claim()).toEqual([]);
      expect(await bench.store.cancel([two!.executionId], 'user', null)).toMatchObject({ executionIds: [two!.executionId], ready: [{ id: activation.id }] });
      expect((await parent.claim())[0]).toMatchObject({ id: activation.id });
    });

    it('end with the caller that waited for them, over any number of levels', async () => {
      const { parent, child } = await withChildren(2);
      const [claimed] = await child.claim();
      const grandchild = bench.drive(chainOf(2));
      await child.suspend(claimed!, { key: 'children', wait: 'children', children: 1 }, {
        children: [{ execution: { ...grandchild.request(), parent: { executionId: claimed!.executionId, activation: claimed!, index: 0 } }, decide: grandchild.begin(['n1']) }],
      });
      const [running] = await grandchild.claim();
      expect((await bench.store.cancel([parent.id], 'user', null)).executionIds).toHaveLength(4);
      expect(await bench.store.findExecution(running!.executionId)).toMatchObject({ status: 'canceled', cause: 'caller-ended', error: { code: 'caller_ended' } });
      expect((await grandchild.finish(running!)).kind).toBe('fenced');
      expect(await child.claim()).toEqual([]);
    });

    it('are orphans for the sweep when their caller fails or halts', async () => {
      const call = async (end: 'fail' | 'halt') => {
        const parent = bench.drive({ ...fanOf(2), policies: { dead: 'off' } });
        await parent.start(['a']);
        await parent.finish((await parent.claim())[0]!);
        const [one, two] = await parent.claim();
        const child = bench.drive(chainOf(2));
        const children = [0, 1].map((index) => ({ execution: { ...child.request(), parent: { executionId: parent.id, activation: one!, index } }, decide: child.begin(['n1']) }));
        const alone = bench.drive(chainOf(1));
        await parent.suspend(one!, { key: 'children', wait: 'children', children: 2 }, { children: [...children, { execution: alone.request(), decide: alone.begin(['n1']) }] });
        await (end === 'fail' ? parent.fail(two!) : parent.commit(two!, done([{ port: 0, count: 1 }], [{ kind: 'halt' }])));
        return { child, alone };
      };
      for (const end of ['fail', 'halt'] as const) {
        const { child, alone } = await call(end);
        const [running] = await child.claim(1);
        const { executionIds } = await bench.store.cancelOrphans(1_000);
        expect(executionIds).toContain(running!.executionId);
        expect((await child.finish(running!)).kind).toBe('fenced');
        expect(await child.claim()).toEqual([]);
        expect(await alone.runToEnd()).toEqual(['n1']);
      }
      await bench.store.cancelOrphans(1_000);
      expect(await bench.store.cancelOrphans(1_000)).toEqual({ executionIds: [], ready: [] });
    });

    it('are counted by the root of their calls', async () => {
      const parent = bench.drive(chainOf(1));
      await parent.start(['n1']);
      const [activation] = await parent.claim();
      const child = bench.drive(chainOf(1));
      await parent.finish(activation!, [item({})], { children: [0, 1, 2].map(() => ({ execution: child.request({ root: parent.id }), decide: child.begin(['n1']) })) });
      expect(await bench.store.countFamily(parent.id, 100)).toBe(3);
      expect(await bench.store.countFamily(parent.id, 2)).toBe(2);
      await child.runToEnd();
      expect(await bench.store.countFamily(parent.id, 100)).toBe(3);
      expect(await bench.store.countFamily('1', 100)).toBe(0);
    });

    it('creates none when the commit is fenced', async () => {
      const parent = bench.drive(chainOf(1));
      await parent.start(['n1']);
      const [activation] = await parent.claim();
      await bench.store.release([activation!]);
      const child = bench.drive(chainOf(1));
      const result = await parent.finish(activation!, [item({})], { children: [{ execution: child.request(), decide: child.begin(['n1']) }] });
      expect(result.kind).toBe('fenced');
      expect(await child.claim()).toEqual([]);
    });

    it('starts executions that nobody waits for', async () => {
      const parent = bench.drive(chainOf(1));
      await parent.start(['n1']);
      const [activation] = await parent.claim();
      const child = bench.drive(chainOf(1));
      const result = await parent.finish(activation!, [item({})], { children: [{ execution: child.request(), decide: child.begin(['n1']) }] });
      expect(result).toMatchObject({ kind: 'committed', ended: 'succeeded', ready: [{ queue: child.queue }] });
      expect(await child.runToEnd()).toEqual(['n1']);
    });
  });
}
