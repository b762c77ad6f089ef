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

    it('lets those that were lost again go on one after the other, so that none is lost with the same neighbor for ever', async () => {
      await bench.under.shiftClock(LEASE_MS + 1);
      await bench.store.releaseExpired(10_000, 100, 'sweeper', LEASE_MS);
      const run = bench.drive(chainOf(1));
      await Promise.all(Array.from({ length: 3 }, () => run.start(['n1'])));
      const lose = async (): Promise<number> => {
        const { length } = await run.claim();
        await bench.under.shiftClock(LEASE_MS + 1);
        await bench.store.releaseExpired(100, 100, 'sweeper', LEASE_MS);
        return length;
      };
      expect(await lose()).toBe(3);
      expect(await lose()).toBe(3);
      expect(await run.claim()).toHaveLength(1);
      await bench.under.shiftClock(1_000);
      expect(await run.claim()).toHaveLength(1);
      await bench.under.shiftClock(1_000);
      expect(await run.claim()).toHaveLength(1);
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

    it('announces what was never announced, and again when the message is probably lost', async () => {
      await bench.store.announceReady(10_000, 0);
      const run = bench.drive(chainOf(1));
      const { ready } = await run.start(['n1']);
      const ids = async (olderThanMs: number) => (await bench.store.announceReady(10_000, olderThanMs)).filter(({ id }) => id === ready[0]!.id);
      expect(await ids(30_000)).toMatchObject([{ announcement: 2, queue: run.queue }]);
      expect(await ids(30_000)).toEqual([]);
      await bench.under.shiftClock(30_001);
      expect(await ids(30_000)).toMatchObject([{ announcement: 3 }]);
    });

    it('leaves alone what is marked as announced', async () => {
      const run = bench.drive(chainOf(1));
      const { ready } = await run.start(['n1']);
      await bench.store.markAnnounced(ready);
      expect((await bench.store.announceReady(10_000, 30_000)).map(({ id }) => id)).not.toContain(ready[0]!.id);
    });

    it('ends executions that are past their deadline', async () => {
      const run = bench.drive(chainOf(2));
      const { id } = await run.start(['n1'], { timeoutMs: 10_000 });
      const [running] = await run.claim();
      expect(running!.executionDeadline).toBeGreaterThan(running!.claimedAt);
      expect(await bench.store.expireDeadlines(1_000)).not.toContain(id);
      await bench.under.shiftClock(10_001);
      expect(await bench.store.expireDeadlines(1_000)).toContain(id);
      expect(await bench.store.findExecution(id)).toMatchObject({ status: 'canceled', cause: 'timeout', error: { code: 'timeout' } });
      expect((await run.finish(running!)).kind).toBe('fenced');
      expect(await bench.store.expireDeadlines(1_000)).toEqual([]);
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
