import { sleep } from '../eventually.ts';
import type { Scenario } from '../scenario.ts';
import { Stage } from '../stage.ts';
import { TcpProxy } from '../world/tcp-proxy.ts';
import { expectZombie, untilBusy } from './zombie.ts';

const leaseMs = 2_000;
const partitions = 2;

/** What the worker sends meanwhile is kept back and arrives afterwards: the late commit of a zombie. */
export const partitionFromPostgres: Scenario = {
  number: 15,
  title: 'partition between one worker and Postgres, longer than its leases; its commits arrive late',
  run: async (context) => {
    const proxy = await TcpProxy.before(process.env['DATABASE_URL']!);
    try {
      return await Stage.run(context, { workers: 1 }, async (stage) => {
        const cutOff = await stage.crew.hireWith({ DATABASE_URL: proxy.through(stage.fleet.database.url), WORKER_SLOTS: '12' });
        const loading = await stage.begin({ ms: 400, waveMs: 2_000 });
        let inHand = 0;
        for (let partition = 0; partition < partitions; partition++) {
          inHand += await untilBusy(stage, cutOff.id, 2);
          proxy.stall();
          await sleep(leaseMs * 3);
          proxy.heal();
          if (partition + 1 < partitions) await stage.starter.start(stage.starter.accepted[0]!.workflow, `more-${partition}`, 10, 200);
        }
        stage.faultEnded();
        await loading.accepted;
        await stage.settle();
        stage.verdict.struck('activations in the hands of the worker that was cut off', inHand, 2 * partitions);
        stage.verdict.struck('bytes that arrived late', proxy.counts.stalledBytes);
        stage.verdict.struck('late commits fenced', await stage.crew.total('fenced_writes_total'));
        await expectZombie(stage, cutOff);
      });
    } finally {
      await proxy.stop();
    }
  },
};
