import { describe, expect, it } from 'vitest';
import type { ClaimedActivation } from '@app/store';
import { chainOf, fanOf, LEASE_MS, WORKER } from '../driven-execution.ts';
import type { Workbench } from '../store.contract.ts';

export function claimsContract(bench: Workbench): void {
  describe('claims and leases', () => {
    it('hands an activation to one of many claimers and counts the attempt first', async () => {
      const run = bench.drive(chainOf(1));
      const { id, ready } = await run.start(['n1'], { options: { o: 1 } });
      const claims = await Promise.all(Array.from({ length: 8 }, (_, index) => bench.store.claim([ready[0]!.id], `w${index}`, LEASE_MS)));
      const taken = claims.flat();
      expect(taken).toHaveLength(1);
      expect(taken[0]).toMatchObject({ id: ready[0]!.id, executionId: id, workflowId: 'wf', versionId: 'v1', mode: 'trigger', options: { o: 1 }, attempt: 1, losses: 0, wasSuspended: false, resume: null, cause: 'start', node: 0, seq: 0, scope: '' });
      expect(taken[0]!.leaseUntil).toBe(taken[0]!.claimedAt + LEASE_MS);
      expect(await run.status()).toBe('running');
    });

    it('leaves out what is not an id, not there or not ready', async () => {
      const run = bench.drive(chainOf(1));
      const { ready } = await run.start(['n1']);
      expect(await bench.store.claim(['nonsense', '1_r_0_0', '99999999999999999999_r_0_0', '9999999999999999999_r_0_0', '5:6'], WORKER, LEASE_MS)).toEqual([]);
      expect(await bench.store.claim([ready[0]!.id], WORKER, LEASE_MS)).toHaveLength(1);
      expect(await bench.store.claim([ready[0]!.id], WORKER, LEASE_MS)).toEqual([]);
    });

    it('hands over an activation once although it is named several times', async () => {
      const { ready } = await bench.drive(chainOf(1)).start(['n1']);
      const { id } = ready[0]!;
      const claims = await Promise.all([bench.store.claim([id, id], WORKER, LEASE_MS), bench.store.claim([id], WORKER, LEASE_MS)]);
      expect(claims.flat()).toHaveLength(1);
    });

    it('claims by priority before age and not more than asked for', async () => {
      const run = bench.drive(chainOf(1));
      const late = await run.start(['n1'], { priority: 4 });
      const soon = await run.start(['n1'], { priority: 1 });
      const next = await run.start(['n1'], { priority: 2 });
      const claimed = await run.claim(2);
      expect(claimed.map((activation) => activation.executionId).sort()).toEqual([soon.id, next.id].sort());
      expect((await run.claim(2)).map((activation) => activation.executionId)).toEqual([late.id]);
    });

    it('claims from the queues it is asked for', async () => {
      const one = bench.drive(chainOf(1));
      const two = bench.drive(chainOf(1));
      await one.start(['n1']);
      await two.start(['n1']);
      expect(await bench.store.claimReady([one.queue, two.queue], 10, WORKER, LEASE_MS)).toHaveLength(2);
    });

    it('extends leases that are held and names those that are not', async () => {
      const run = bench.drive(fanOf(2));
      await run.start(['a']);
      await run.finish((await run.claim())[0]!);
      const [one, two] = await run.claim();
      await run.finish(two!);
      await bench.under.shiftClock(LEASE_MS - 1_000);
      expect(await bench.store.extendLeases([one!, two!], LEASE_MS)).toEqual({ lost: [two!.id] });
      await bench.under.shiftClock(LEASE_MS - 1_000);
      expect((await bench.store.releaseExpired(100, 3, WORKER, LEASE_MS)).ready.map(({ id }) => id)).not.toContain(one!.id);
    });

    it('keeps the identity of an activation that a worker went on with, when it loses or gives it back', async () => {
      const run = bench.drive(chainOf(6));
      const { id } = await run.start(['n1']);
      const follow = async (steps: number, from: ClaimedActivation) => {
        let current = from;
        for (let step = 0; step < steps; step++) current = (await run.finish(current, undefined, { continueHere: true })).next!;
        return current;
      };
      const third = await follow(2, (await run.claim())[0]!);
      expect(await bench.store.extendLeases([third], LEASE_MS)).toEqual({ lost: [] });
      expect(await bench.store.listOpenActivations(id)).toMatchObject([{ id: `${id}_r_2_0`, status: 'running', attempt: 1 }]);
      await bench.under.shiftClock(LEASE_MS + 1);
      expect((await bench.store.releaseExpired(1_000, 5, 'sweeper', LEASE_MS)).ready.map((ready) => ready.id)).toContain(`${id}_r_2_0`);
      expect((await run.finish(third)).kind).toBe('fenced');
      const [again] = await bench.store.claim([`${id}_r_2_0`], WORKER, LEASE_MS);
      expect(again).toMatchObject({ id: `${id}_r_2_0`, node: 2, attempt: 2, losses: 1 });
      const fifth = await follow(2, again!);
      expect(fifth).toMatchObject({ id: `${id}_r_4_0`, attempt: 1, losses: 0 });
      expect(await bench.store.release([fifth])).toMatchObject([{ id: `${id}_r_4_0` }]);
      expect(await run.runToEnd()).toEqual(['n5', 'n6']);
      expect((await bench.store.listRuns(id, -1, 10)).map(({ node, attempt }) => [node, attempt])).toEqual([[0, 1], [1, 1], [2, 2], [3, 1], [4, 1], [5, 1]]);
    });

    it('takes a released activation back without counting the attempt, and fences its former holder', async () => {
      const run = bench.drive(chainOf(2));
      await run.start(['n1']);
      const [first] = await run.claim();
      const [ready] = await bench.store.release([first!]);
      expect(ready).toMatchObject({ id: first!.id, announcement: 2 });
      expect((await run.finish(first!)).kind).toBe('fenced');
      const [second] = await run.claim();
      expect(second).toMatchObject({ id: first!.id, attempt: 1 });
      expect((await run.finish(second!)).kind).toBe('committed');
      expect(await bench.store.release([first!])).toEqual([]);
    });
  });
}
