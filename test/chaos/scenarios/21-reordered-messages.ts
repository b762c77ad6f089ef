import { sleep } from '../eventually.ts';
import type { Scenario } from '../scenario.ts';
import { Stage } from '../stage.ts';
import { order } from '../workflows.ts';
import { Meddler } from './meddler.ts';

/** 16 slots bear nine such executions a second, half of which are cut short. */
const startEveryMs = 120;

/** Half of the executions are canceled while branches run; what their branches bring home later must change nothing. */
export const reorderedMessages: Scenario = {
  number: 21,
  title: 'messages delayed and reordered, results of branches after a cancel',
  run: async (context) => {
    const canceled = new Set<string>();
    return Stage.run(context, { statusOf: ({ id }) => (canceled.has(id) ? 'c' : 's'), env: { ANNOUNCE_AFTER_MS: '5000' } }, async (stage) => {
      const { random } = context;
      const meddler = new Meddler(stage.redis.url, random, { copies: () => random.pick([1, 1, 3]), delayMs: () => random.whole(0, 1_500) });
      meddler.start();
      const workflow = await stage.publish(order(stage.sink.url, { ms: 500 }));
      let lateResults = 0;
      await Promise.all(
        Array.from({ length: context.executions }, async (_, index) => {
          await sleep(index * startEveryMs);
          const { id } = await stage.starter.startOne(workflow, `order-${index}`);
          if (index % 2 === 0) return;
          const charge = await stage.sink.called(id, 'Charge', 20_000);
          const { status } = await stage.fleet.call<{ status: string }>('POST', `executions/${id}/cancel`);
          stage.verdict.expect(status === 'canceled', `Execution ${id} was canceled and answers with status ${status}.`);
          canceled.add(id);
          if (!stage.sink.hasAnswered(charge)) lateResults += 1;
        }),
      );
      stage.faultEnded();
      await stage.settle();
      await sleep(1_000);
      stage.verdict.struck('messages taken and passed on late', meddler.counts.taken, context.executions / 4);
      stage.verdict.struck('executions canceled', canceled.size, Math.floor(context.executions / 2));
      stage.verdict.struck('cancels while a branch ran', lateResults);
      stage.verdict.struck('late results refused', (await stage.crew.total('fenced_writes_total')) + (await stage.crew.total('leases_lost_total')));
      await meddler.stop();
    });
  },
};
