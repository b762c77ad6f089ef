import { eventually, sleep } from '../eventually.ts';
import { RUNS } from '../invariant-statements.ts';
import type { Scenario } from '../scenario.ts';
import { Stage } from '../stage.ts';
import { TcpProxy } from '../world/tcp-proxy.ts';

/** So long the worker keeps a message after the claim: time to cut it off with messages that are not acknowledged. */
const delay = 'worker:before-ack=delay400';
/** Twice the lock of a message and a look for stalled ones. */
const redeliveryMs = 90_000;

export const partitionFromRedis: Scenario = {
  number: 16,
  title: 'partition between one worker and Redis alone',
  run: (context) =>
    Stage.run(context, { workers: 1 }, async (stage) => {
      const proxy = await TcpProxy.before(stage.redis.url);
      try {
        const cutOff = await stage.crew.hireWith({ REDIS_URL: proxy.through(stage.redis.url), FAILPOINTS: delay, POLL_INTERVAL_MS: '60000', WORKER_SLOTS: '12' });
        const loading = await stage.begin({ ms: 300, waveMs: 1_500 });
        await eventually('the worker holds messages that are not acknowledged', 20_000, async () => stage.crew.strikes('worker:before-ack') > 1 && (await stage.redis.client.llen('argosy:default:active')) > 0, 10);
        const unacknowledged = await stage.redis.client.llen('argosy:default:active');
        const [{ now: from } = { now: 0 }] = await stage.watcher.query<{ now: number }>('select argosy_now()::float8 as now');
        proxy.cut();
        await sleep(4_000);
        const [{ now: to } = { now: 0 }] = await stage.watcher.query<{ now: number }>('select argosy_now()::float8 as now');
        proxy.heal();
        stage.faultEnded();
        await loading.accepted;
        await stage.settle();
        stage.verdict.struck('connections cut', proxy.counts.cut);
        stage.verdict.struck('messages in hand at the cut', unacknowledged);
        const runs = await stage.watcher.query<{ worker: string; finished_at: number }>(RUNS);
        stage.verdict.struck('runs that the worker finished while cut off', runs.filter(({ worker, finished_at }) => worker === cutOff.id && finished_at > from && finished_at < to).length);
        // Acknowledged late, or delivered once more because the lock of the message ran out: both are right, as long as none stays in hand.
        await eventually('no message is in hand any more', redeliveryMs, async () => (await stage.redis.client.llen('argosy:default:active')) === 0, 500).catch((error: Error) => stage.verdict.expect(false, error.message));
        await stage.starter.start(stage.starter.accepted[0]!.workflow, 'after', 10, 200);
        await stage.settle();
      } finally {
        await proxy.stop();
      }
    }),
};
