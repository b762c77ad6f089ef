import { eventually, sleep } from '../eventually.ts';
import type { Scenario } from '../scenario.ts';
import { Stage } from '../stage.ts';
import { metricOf } from '../world/crew.ts';

export const redisFull: Scenario = {
  number: 11,
  title: 'Redis full: it refuses every write',
  run: (context) =>
    Stage.run(context, {}, async (stage) => {
      await stage.redis.client.config('SET', 'maxmemory', '1');
      const before = stage.starter.repeated;
      await stage.load({ overMs: 1_500 });
      stage.verdict.struck('starts accepted while Redis was full', stage.starter.accepted.length, context.executions);
      stage.verdict.expect(stage.starter.repeated === before, `I11: the API refused ${stage.starter.repeated - before} starts: ${stage.starter.failures[0]}.`);
      await eventually('work goes on without a queue', 15_000, () => stage.watcher.endedAt.size > 0).catch((error: Error) => stage.verdict.expect(false, `I5: ${error.message}`));
      await sleep(1_000);
      const refused = /errorstat_OOM:count=(\d+)/.exec(await stage.redis.client.info('errorstats'))?.[1];
      stage.verdict.struck('writes that Redis refused', Number(refused ?? 0));
      stage.verdict.struck('announcements not taken', (await stage.crew.total('dispatch_send_failures_total')) + (await metricOf(`${stage.fleet.url}/metrics`, 'dispatch_send_failures_total')));
      await stage.redis.client.config('SET', 'maxmemory', '0');
      stage.faultEnded();
      await stage.settle();
      const received = await stage.crew.total('dispatch_received_total');
      await stage.starter.start(stage.starter.accepted[0]!.workflow, 'after', 5, 200);
      await stage.settle();
      stage.verdict.struck('messages taken from the queue afterwards', (await stage.crew.total('dispatch_received_total')) - received);
      stage.verdict.expect(stage.crew.deaths.length === 0, `Workers died of a full Redis: ${stage.crew.deaths.map(({ worker, how }) => `${worker} ${how}`).join(', ')}.`);
    }),
};
