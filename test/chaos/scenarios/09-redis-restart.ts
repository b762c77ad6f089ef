import { sleep } from '../eventually.ts';
import type { Scenario } from '../scenario.ts';
import { Stage } from '../stage.ts';

export const redisRestart: Scenario = {
  number: 9,
  title: 'Redis killed and started again without what it held',
  run: (context) =>
    Stage.run(context, { workerEnv: () => ({ WORKER_SLOTS: '2' }) }, async (stage) => {
      const loading = await stage.begin({ ms: 80, waveMs: 1_000 });
      const lives = new Set<string>();
      let lost = 0;
      for (let restart = 0; restart < 3 || stage.starter.accepted.length < context.executions; restart++) {
        await sleep(context.random.whole(400, 900));
        lost += await stage.redis.messages().catch(() => 0);
        lives.add(await runOf(stage));
        await stage.redis.kill();
        await sleep(context.random.whole(200, 1_200));
        await stage.redis.restart();
        lives.add(await runOf(stage));
      }
      stage.faultEnded();
      await loading.accepted;
      stage.verdict.struck('restarts', lives.size - 1, 3);
      stage.verdict.struck('messages lost', lost, 3);
      stage.verdict.expect(stage.crew.deaths.length === 0, `Workers died with Redis: ${stage.crew.deaths.map(({ worker, how }) => `${worker} ${how}`).join(', ')}.`);
    }),
};

/** Differs for every start of a server. */
async function runOf({ redis }: Stage): Promise<string> {
  return /run_id:(\S+)/.exec(await redis.client.info('server'))![1]!;
}
