import type { Scenario } from '../scenario.ts';
import { Stage } from '../stage.ts';
import { expectZombie, untilBusy } from './zombie.ts';

const blockedMs = 6_000;

/** Three leases long the worker computes and hears nothing; then it writes what it had, or first hears that it holds nothing any more. */
export const blockedEventLoop: Scenario = {
  number: 17,
  title: 'event loop of a worker blocked beyond its leases',
  run: (context) =>
    Stage.run(context, { workers: 1, workerEnv: () => ({ WORKER_SLOTS: '4' }) }, async (stage) => {
      const blocked = await stage.crew.hireWith({ FAILPOINTS: `worker:before-commit/Charge=block${blockedMs}@2,worker:before-commit/Pack=block${blockedMs}@9`, WORKER_SLOTS: '12' });
      const loading = await stage.begin({ overMs: 1_500 });
      await untilBusy(stage, blocked.id);
      await loading.accepted;
      await stage.settle();
      stage.verdict.struck('event loop blocked', stage.crew.strikes('worker:before-commit'));
      await expectZombie(stage, blocked);
    }),
};
