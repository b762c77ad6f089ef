import { sleep } from '../eventually.ts';
import type { Scenario } from '../scenario.ts';
import { Stage } from '../stage.ts';

/** Few slots, so that messages wait in Redis when it is emptied. */
const scarce = { WORKER_SLOTS: '2' };

export const redisFlushall: Scenario = {
  number: 8,
  title: 'FLUSHALL of Redis under load',
  run: (context) =>
    Stage.run(context, { workerEnv: () => scarce }, async (stage) => {
      const loading = await stage.begin({ ms: 80, waveMs: 1_000 });
      let lost = 0;
      let flushes = 0;
      while (flushes < 5 || stage.starter.accepted.length < context.executions) {
        await sleep(context.random.whole(300, 700));
        const waiting = await stage.redis.messages();
        if (waiting === 0 && stage.watcher.open === 0 && stage.starter.accepted.length === context.executions) break;
        await stage.redis.client.flushall();
        flushes += 1;
        lost += waiting;
      }
      stage.faultEnded();
      await loading.accepted;
      stage.verdict.struck('flushes', flushes, 3);
      stage.verdict.struck('messages lost', lost, 5);
    }),
};
