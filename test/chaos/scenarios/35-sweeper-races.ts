import type { Scenario } from '../scenario.ts';
import { Stage } from '../stage.ts';

/** The sweeper announces anew what was announced this moment, and workers poll for it besides. */
const eager = { SWEEP_INTERVAL_MS: '50', ANNOUNCE_AFTER_MS: '50', IDLE_POLL_INTERVAL_MS: '50', WORKER_SLOTS: '3' };

export const sweeperRaces: Scenario = {
  number: 35,
  title: 'sweeper, poll and ordinary path announce and claim the same work',
  run: (context) =>
    Stage.run(context, { workers: 3, env: eager }, async (stage) => {
      await stage.load({ ms: 60, overMs: 1_000 });
      await stage.settle();
      const sent = await stage.crew.total('dispatch_sent_total');
      const [{ runs } = { runs: 0 }] = await stage.watcher.query<{ runs: number }>('select count(*)::int as runs from runs');
      stage.verdict.struck('announcements by workers', sent, context.executions * 3);
      stage.verdict.struck('runs', runs, context.executions);
      stage.verdict.struck('deliveries that claimed nothing', await stage.crew.total('duplicate_deliveries_total'), context.executions / 4);
    }),
};
