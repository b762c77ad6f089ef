import { describe, expect, it } from 'vitest';
import { done, link, step } from '@app/engine';
import { buildProgram } from '@app/engine/testing/build-program.ts';
import { MemoryStore, type ClaimedActivation } from '@app/store';
import { LeaseKeeper } from './lease-keeper.ts';
import { Solitude } from './solitude.ts';
import type { WorkerKit } from './worker-kit.ts';

const LEASE_MS = 1_000;
const MAX_LOSSES = 3;
const program = link(buildProgram({ nodes: [{ name: 'A' }], edges: [] }));

/** A worker whose nodes end when the test says so. */
class Bench {
  now = 0;
  readonly store = new MemoryStore(() => this.now);
  readonly leases = new LeaseKeeper(this.store, LEASE_MS);
  readonly reports: unknown[] = [];
  readonly began: string[] = [];
  private readonly running = new Map<string, () => void>();
  refills = 0;
  private readonly kit = { workerId: 'w', store: this.store, leases: this.leases, settings: { leaseMs: LEASE_MS }, telemetry: { count: () => {} }, report: (_: string, error: unknown) => this.reports.push(error) } as unknown as WorkerKit;
  readonly solitude = new Solitude(
    this.kit,
    { busy: () => this.running.size, nextEnd: () => new Promise((resolve) => setTimeout(resolve, 1)), run: (activation) => this.run(activation), refill: () => (this.refills += 1) },
    { queues: ['default'], suspectAt: MAX_LOSSES - 1 },
  );

  async suspect(): Promise<void> {
    await this.start();
    for (let loss = 1; loss < MAX_LOSSES; loss++) {
      await this.store.claimReady(['default'], 10, 'dead', LEASE_MS, MAX_LOSSES - 1);
      this.now += LEASE_MS + 1;
      await this.store.releaseExpired(10, MAX_LOSSES, 'w', LEASE_MS);
    }
  }

  async start(): Promise<void> {
    await this.store.createExecution({ workflowId: 'wf', versionId: 'v', mode: 'trigger', startItems: [], timeoutMs: null, options: {} }, (snapshot, now) => step(program, snapshot, { kind: 'execution-started', starts: [{ node: 0, input: null }] }, now));
  }

  /** Something ordinary that runs already. */
  occupy(name: string): void {
    this.running.set(name, () => {});
  }

  run(activation: ClaimedActivation): Promise<void> {
    this.began.push(activation.id);
    return new Promise((resolve) => this.running.set(activation.id, () => void this.store.commit(activation, (snapshot, now) => step(program, snapshot, { kind: 'activation-settled', activation, outcome: done([]) }, now), { continueHere: false, worker: 'w', leaseMs: LEASE_MS, startedAt: 0, finishedAt: 0 }).then(() => resolve())));
  }

  async end(name: string): Promise<void> {
    const end = this.running.get(name)!;
    this.running.delete(name);
    end();
    await moment();
  }
}

const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe('activations that may be lost only once more', () => {
  it('begin when nothing else runs, one after the other, and keep everything else out', async () => {
    const bench = new Bench();
    await bench.suspect();
    await bench.suspect();
    bench.occupy('ordinary');
    bench.solitude.look();
    await moment();
    expect({ wanted: bench.solitude.isWanted, began: bench.began }).toEqual({ wanted: true, began: [] });
    await bench.end('ordinary');
    expect(bench.began).toHaveLength(1);
    bench.solitude.look();
    await moment();
    expect(bench.began).toHaveLength(1);
    await bench.end(bench.began[0]!);
    expect(bench.began).toHaveLength(2);
    expect(bench.refills).toBe(0);
    await bench.end(bench.began[1]!);
    expect({ wanted: bench.solitude.isWanted, refills: bench.refills, reports: bench.reports }).toEqual({ wanted: false, refills: 1, reports: [] });
    expect(await bench.store.findExecution('1')).toMatchObject({ status: 'succeeded' });
  });

  it('hold nothing up when there are none, and are left alone by a worker that stops', async () => {
    const bench = new Bench();
    await bench.start();
    bench.occupy('ordinary');
    bench.solitude.look();
    await moment();
    expect({ wanted: bench.solitude.isWanted, began: bench.began }).toEqual({ wanted: false, began: [] });
    await bench.suspect();
    bench.leases.draining = true;
    bench.solitude.look();
    await moment();
    expect({ wanted: bench.solitude.isWanted, began: bench.began }).toEqual({ wanted: false, began: [] });
  });

  it('lets work go on when the store cannot be asked', async () => {
    const bench = new Bench();
    await bench.suspect();
    const { claimSuspect } = bench.store;
    bench.store.claimSuspect = () => Promise.reject(new Error('away'));
    bench.solitude.look();
    await moment();
    expect({ wanted: bench.solitude.isWanted, refills: bench.refills }).toEqual({ wanted: false, refills: 1 });
    expect(bench.reports).toMatchObject([{ message: 'away' }]);
    bench.store.claimSuspect = claimSuspect;
    bench.solitude.look();
    await moment();
    expect(bench.began).toHaveLength(1);
  });
});
