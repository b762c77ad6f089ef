import { describe, expect, it } from 'vitest';
import { chainOf, LEASE_MS, WORKER } from '../driven-execution.ts';
import type { Workbench } from '../store.contract.ts';

export function sweepsContract(bench: Workbench): void {
  describe('sweeps', () => {
    it('puts activations of lost workers back and notes the lost try', async () => {
      const run = bench.drive(chainOf(1));
      const { id } = await run.start(['n1']);
      const [lost] = await run.claim();
      expect((await bench.store.releaseExpired(1_000, 3, 'sweeper', LEASE_MS)).ready.map((ready) => ready.id)).not.toContain(lost!.id);
      await bench.under.shiftClock(LEASE_MS + 1);
      expect((await bench.store.releaseExpired(1_000, 3, 'sweeper', LEASE_MS)).ready.map((ready) => ready.id)).toContain(lost!.id);
      const [again] = await run.claim();
      expect(again).toMatchObject({ attempt: 2, losses: 1 });
      await run.finish(again!);
      expect((await bench.store.loadRuns(id, [lost!]))[0]!.attempts).toMatchObject([{ attempt: 1, outcome: 'lease-lost', worker: WORKER }]);
    });

    it('hands over an activation that was lost too often, without another try', async () => {
      const run = bench.drive(chainOf(1));
      await run.start(['n1']);
      for (let loss = 1; loss <= 2; loss++) {
        await run.claim();
        await bench.under.shiftClock(LEASE_MS + 1);
        const { exhausted } = await bench.store.releaseExpired(1_000, 2, 'sweeper', LEASE_MS);
        const own = exhausted.filter(({ executionId }) => executionId === run.id);
        expect(own).toHaveLength(loss === 2 ? 1 : 0);
        if (loss < 2) continue;
        expect(own[0]).toMatchObject({ attempt: 2, losses: 2 });
        const { ended } = await run.commit(own[0]!, { kind: 'failed', final: true, error: { message: 'crashed twice', code: 'crashed' } });
        expect(ended).toBe('failed');
        expect(await bench.store.findExecution(run.id)).toMatchObject({ status: 'failed', cause: 'crashed' });
      }
    });

    it('leaves those that may be lost only once more to whoever runs them alone', async () => {
      const run = bench.drive(chainOf(1));
      const { id } = await run.start(['n1']);
      const queues = [run.queue];
      const mine = (list: readonly { readonly id: string }[]) => list.filter((activation) => activation.id === `${id}_r_0_0`);
      const lose = async () => {
        await bench.under.shiftClock(LEASE_MS + 1);
        return bench.store.releaseExpired(10_000, 3, 'sweeper', LEASE_MS);
      };
      expect(await bench.store.claimReady(queues, 10, WORKER, LEASE_MS, 2)).toHaveLength(1);
      expect(mine((await lose()).ready)).toHaveLength(1);
      expect(await bench.store.hasSuspect(queues, 2)).toBe(false);
      expect(await bench.store.claimSuspect(queues, 2, WORKER, LEASE_MS)).toBeNull();
      expect(await bench.store.claim([`${id}_r_0_0`], WORKER, LEASE_MS, 2)).toHaveLength(1);
      const released = await lose();
      expect([mine(released.ready), mine(released.suspects)]).toMatchObject([[], [{ id: `${id}_r_0_0` }]]);
      await bench.under.shiftClock(60_000);
      expect(mine(await bench.store.announceReady(10_000, 30_000, 2))).toEqual([]);
      expect(await bench.store.claimReady(queues, 10, WORKER, LEASE_MS, 2)).toEqual([]);
      expect(await bench.store.claim([`${id}_r_0_0`], WORKER, LEASE_MS, 2)).toEqual([]);
      expect([await bench.store.hasSuspect(['another'], 2), await bench.store.claimSuspect(['another'], 2, WORKER, LEASE_MS)]).toEqual([false, null]);
      expect(await bench.store.hasSuspect(queues, 2)).toBe(true);
      const suspect = await bench.store.claimSuspect(queues, 2, WORKER, LEASE_MS);
      expect(suspect).toMatchObject({ id: `${id}_r_0_0`, attempt: 3, losses: 2 });
      expect([await bench.store.hasSuspect(queues, 2), await bench.store.claimSuspect(queues, 2, WORKER, LEASE_MS)]).toEqual([false, null]);
      await run.finish(suspect!);
    });

    it('counts no further loss when the sweeper that was to give an activation up is lost itself', async () => {
      const run = bench.drive(chainOf(1));
      const { id } = await run.start(['n1']);
      await run.claim();
      for (let turn = 0; turn < 3; turn++) {
        await bench.under.shiftClock(LEASE_MS + 1);
        const exhausted = (await bench.store.releaseExpired(10_000, 1, `sweeper ${turn}`, LEASE_MS)).exhausted.filter(({ executionId }) => executionId === id);
        expect(exhausted).toMatchObject([{ attempt: 1, losses: 1 }]);
        if (turn < 2) continue;
        await run.commit(exhausted[0]!, { kind: 'failed', final: true, error: { message: 'crashed', code: 'crashed' } });
        expect((await bench.store.loadRuns(id, [exhausted[0]!]))[0]!.attempts!.filter(({ outcome }) => outcome === 'lease-lost')).toHaveLength(1);
      }
    });

    it('releases no more than it is asked to', async () => {
      await bench.under.shiftClock(LEASE_MS + 1);
      await bench.store.releaseExpired(10_000, 100, 'sweeper', LEASE_MS);
      const run = bench.drive(chainOf(1));
      await Promise.all(Array.from({ length: 5 }, () => run.start(['n1'])));
      await run.claim();
      await bench.under.shiftClock(LEASE_MS + 1);
      expect((await bench.store.releaseExpired(2, 100, 'sweeper', LEASE_MS)).ready).toHaveLength(2);
      expect((await bench.store.releaseExpired(100, 100, 'sweeper', LEASE_MS)).ready).toHaveLength(3);
    });

    it('announces again what was handed over for announcement and whose message is probably lost', async () => {
      await bench.store.announceReady(10_000, 0);
      const run = bench.drive(chainOf(1));
      const { ready } = await run.start(['n1']);
      const ids = async (olderThanMs: number) => (await bench.store.announceReady(10_000, olderThanMs)).filter(({ id }) => id === ready[0]!.id);
      expect(await ids(30_000)).toEqual([]);
      await bench.under.shiftClock(30_001);
      expect(await ids(30_000)).toMatchObject([{ announcement: 2, queue: run.queue }]);
      expect(await ids(30_000)).toEqual([]);
      await bench.under.shiftClock(30_001);
      expect(await ids(30_000)).toMatchObject([{ announcement: 3 }]);
    });

    it('announces less and less often while messages wait in the queue', async () => {
      await bench.store.announceReady(10_000, 0);
      const run = bench.drive(chainOf(1));
      const { ready } = await run.start(['n1']);
      const isAnnounced = async (isQueueBusy: boolean) => (await bench.store.announceReady(10_000, 1_000, 100, isQueueBusy)).some(({ id }) => id === ready[0]!.id);
      await bench.under.shiftClock(1_900);
      expect(await isAnnounced(true)).toBe(false);
      await bench.under.shiftClock(200);
      expect(await isAnnounced(true)).toBe(true);
      await bench.under.shiftClock(3_900);
      expect(await isAnnounced(true)).toBe(false);
      await bench.under.shiftClock(200);
      expect(await isAnnounced(true)).toBe(true);
      await bench.under.shiftClock(1_100);
      expect(await isAnnounced(true)).toBe(false);
      expect(await isAnnounced(false)).toBe(true);
    });

    it('ends executions that are past their deadline', async () => {
      const run = bench.drive(chainOf(2));
      const { id } = await run.start(['n1'], { timeoutMs: 10_000 });
      const [running] = await run.claim();
      expect(running!.executionDeadline).toBeGreaterThan(running!.claimedAt);
      expect((await bench.store.expireDeadlines(1_000)).executionIds).not.toContain(id);
      await bench.under.shiftClock(10_001);
      expect((await bench.store.expireDeadlines(1_000)).executionIds).toContain(id);
      expect(await bench.store.findExecution(id)).toMatchObject({ status: 'canceled', cause: 'timeout', error: { code: 'timeout' } });
      expect((await run.finish(running!)).kind).toBe('fenced');
      expect((await bench.store.expireDeadlines(1_000)).executionIds).toEqual([]);
    });

    it('does not count the time in the queue against the time an execution may take', async () => {
      const run = bench.drive(chainOf(2));
      const { id } = await run.start(['n1'], { timeoutMs: 10_000 });
      await bench.under.shiftClock(60_000);
      expect((await bench.store.expireDeadlines(1_000)).executionIds).not.toContain(id);
      const [running] = await run.claim();
      expect(running!.executionDeadline! - running!.claimedAt).toBe(10_000);
      await bench.under.shiftClock(9_000);
      expect((await bench.store.expireDeadlines(1_000)).executionIds).not.toContain(id);
      await bench.under.shiftClock(1_001);
      expect((await bench.store.expireDeadlines(1_000)).executionIds).toContain(id);
    });

    it.each(['time', 'human'] as const)('lets an execution that waits as a whole (%s) wait, and begins its time anew when it goes on', async (wait) => {
      const run = bench.drive(chainOf(2));
      const { id } = await run.start(['n1'], { timeoutMs: 10_000 });
      await run.suspend((await run.claim())[0]!, { key: 'k', wait, until: wait === 'time' ? (await bench.store.now()) + 7_200_000 : null });
      for (let hour = 0; hour < 2; hour++) {
        expect((await bench.store.expireDeadlines(1_000)).executionIds).not.toContain(id);
        await bench.under.shiftClock(3_600_000);
      }
      expect((await bench.store.expireDeadlines(1_000)).executionIds).not.toContain(id);
      if (wait === 'time') expect((await bench.store.fireTimers(1_000)).map((ready) => ready.id)).toContain(`${id}_r_0_0`);
      else expect((await bench.store.signal(id, 'k', null)).kind).toBe('delivered');
      await bench.under.shiftClock(9_000);
      expect((await bench.store.expireDeadlines(1_000)).executionIds).not.toContain(id);
      await run.finish((await run.claim())[0]!);
      expect((await bench.store.expireDeadlines(1_000)).executionIds).not.toContain(id);
      await bench.under.shiftClock(1_001);
      expect((await bench.store.expireDeadlines(1_000)).executionIds).toContain(id);
    });

    it('counts on through a short wait for a moment, also when a signal ends it, and not through one for somebody else', async () => {
      const remaining = async (wait: 'time' | 'human') => {
        const run = bench.drive(chainOf(2));
        const { id } = await run.start(['n1'], { timeoutMs: 60_000 });
        await run.suspend((await run.claim())[0]!, { key: 'k', wait, until: (await bench.store.now()) + 40_000 });
        await bench.under.shiftClock(30_000);
        expect((await bench.store.signal(id, 'k', null)).kind).toBe('delivered');
        const [woken] = await run.claim();
        const { executionDeadline, claimedAt } = woken!;
        await run.finish(woken!);
        await run.runToEnd();
        return Math.round((executionDeadline! - claimedAt) / 1_000);
      };
      expect(await remaining('time')).toBe(30);
      expect(await remaining('human')).toBe(60);
    });

    it('counts on while an execution waits for one that it called', async () => {
      const run = bench.drive(chainOf(2));
      const { id } = await run.start(['n1'], { timeoutMs: 10_000 });
      await run.suspend((await run.claim())[0]!, { key: 'k', wait: 'children', children: 1 });
      await bench.under.shiftClock(10_001);
      expect((await bench.store.expireDeadlines(1_000)).executionIds).toContain(id);
    });

    it('reports its health and how much is ready', async () => {
      const before = (await bench.store.health()).readyDepth;
      const run = bench.drive(chainOf(1));
      await run.start(['n1']);
      await bench.under.shiftClock(5);
      const health = await bench.store.health();
      expect(health).toMatchObject({ ok: true, schemaCurrent: true, readyDepth: before + 1 });
      expect(health.oldestReadyMs).toBeGreaterThan(0);
    });
  });
}
