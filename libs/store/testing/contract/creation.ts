import { describe, expect, it } from 'vitest';
import { chainOf, item } from '../driven-execution.ts';
import type { Workbench } from '../store.contract.ts';

export function creationContract(bench: Workbench): void {
  describe('creating executions', () => {
    it('makes the execution findable with its first activation ready', async () => {
      const run = bench.drive(chainOf(2));
      const { id, existing, ready } = await run.start(['n1'], { project: 'p', priority: 2, options: { b: 1, a: 2 }, traceparent: '00-a-b-01' });
      expect(existing).toBe(false);
      expect(ready).toEqual([{ id: `${id}_r_0_0`, announcement: 1, queue: run.queue, priority: 2 }]);
      expect(await bench.store.findExecution(id)).toMatchObject({ id, status: 'queued', project: 'p', priority: 2, traceparent: '00-a-b-01', startedAt: null, finishedAt: null, parent: null, commits: 1 });
      expect(JSON.stringify((await bench.store.findExecution(id))!.options)).toBe('{"b":1,"a":2}');
    });

    it('gives the execution that has the idempotency key already', async () => {
      const run = bench.drive(chainOf(1));
      const first = await run.start(['n1'], { idempotencyKey: `key ${run.queue}` });
      const again = await run.start(['n1'], { idempotencyKey: `key ${run.queue}` });
      expect(again).toEqual({ id: first.id, existing: true, ready: [] });
      const other = await run.start(['n1'], { idempotencyKey: `key ${run.queue}`, workflowId: 'another' });
      expect(other.existing).toBe(false);
    });

    it('starts one execution when the same key arrives many times at once', async () => {
      const run = bench.drive(chainOf(1));
      const created = await Promise.all(Array.from({ length: 20 }, () => run.start(['n1'], { idempotencyKey: `race ${run.queue}` })));
      expect(new Set(created.map(({ id }) => id)).size).toBe(1);
      expect(created.filter(({ existing }) => !existing)).toHaveLength(1);
      expect(await run.claim()).toHaveLength(1);
    });

    it('accepts many executions at once, each with an id of its own', async () => {
      const run = bench.drive(chainOf(1));
      const created = await Promise.all(Array.from({ length: 150 }, () => run.start(['n1'])));
      expect(new Set(created.map(({ id }) => id)).size).toBe(150);
    });

    it('keeps the items an execution begins with', async () => {
      const run = bench.drive(chainOf(1));
      const { id } = await run.start(['n1'], {}, [item({ q: 'ä"\\\n', z: 1, a: null })]);
      const [activation] = await run.claim();
      expect(await bench.store.loadItems(id, [activation!.inputs[0]!.ref!])).toEqual([[item({ q: 'ä"\\\n', z: 1, a: null })]]);
    });

    it('rejects an execution that cannot begin and harms no other one', async () => {
      const run = bench.drive(chainOf(1));
      const broken = bench.store.createExecution(run.request(), () => ({ kind: 'unchanged' }));
      const fine = run.start(['n1']);
      await expect(broken).rejects.toThrow('cannot begin');
      expect((await fine).existing).toBe(false);
    });
  });
}
