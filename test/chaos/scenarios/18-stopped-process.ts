import { sleep } from '../eventually.ts';
import type { Scenario } from '../scenario.ts';
import { Stage } from '../stage.ts';
import { expectZombie, untilBusy } from './zombie.ts';

const leaseMs = 2_000;
const stops = 2;

export const stoppedProcess: Scenario = {
  number: 18,
  title: 'SIGSTOP of a worker for several leases, then SIGCONT',
  run: (context) =>
    Stage.run(context, { workers: 1, workerEnv: () => ({ WORKER_SLOTS: '4' }) }, async (stage) => {
      const stopped = await stage.crew.hireWith({ WORKER_SLOTS: '12' });
      const loading = await stage.begin({ ms: 300, waveMs: 2_000 });
      let inHand = 0;
      for (let stop = 0; stop < stops; stop++) {
        inHand += await untilBusy(stage, stopped.id, 2);
        stopped.process.signal('SIGSTOP');
        await sleep(leaseMs * 3);
        stopped.process.signal('SIGCONT');
        if (stop + 1 < stops) await stage.starter.start(stage.starter.accepted[0]!.workflow, `more-${stop}`, 10, 200);
      }
      stage.faultEnded();
      await loading.accepted;
      await stage.settle();
      stage.verdict.struck('activations in the hands of the stopped worker', inHand, 2 * stops);
      await expectZombie(stage, stopped);
    }),
};
