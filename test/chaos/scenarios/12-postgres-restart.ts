import { sleep } from '../eventually.ts';
import type { Scenario } from '../scenario.ts';
import { Stage } from '../stage.ts';
import { startOwnPostgres } from '../world/own-postgres.ts';
import { TcpProxy } from '../world/tcp-proxy.ts';

const restarts = 3;
const answersLost = 6;

/** Twice over: crashes of the server, and commits that happened although nobody heard of it. */
export const postgresRestart: Scenario = {
  number: 12,
  title: 'Postgres crashes in the middle of commits, and answers to commits get lost',
  run: async (context) => {
    const postgres = await startOwnPostgres();
    const proxy = await TcpProxy.before(postgres.url);
    try {
      return await Stage.run(context, { server: postgres.url, databaseUrl: (direct) => proxy.through(direct), outageMs: 10_000 }, async (stage) => {
        const loading = await stage.begin({ overMs: 9_000 + context.executions * 30 });
        let busy = 0;
        for (let restart = 0; restart < restarts; restart++) {
          proxy.loseAnswers(/commit/, answersLost / restarts);
          await sleep(context.random.whole(1_500, 2_500));
          busy += stage.watcher.open;
          await postgres.crash();
          await sleep(context.random.whole(0, 500));
          await postgres.restart();
        }
        stage.faultEnded();
        await loading.accepted;
        stage.verdict.struck('crashes of Postgres', restarts, restarts);
        stage.verdict.struck('executions open at a crash', busy, restarts);
        stage.verdict.struck('answers to commits lost', proxy.counts.lostAnswers, restarts);
        stage.verdict.expect(stage.crew.deaths.length === 0, `Workers died with Postgres: ${stage.crew.deaths.map(({ worker, how }) => `${worker} ${how}`).join(', ')}.`);
      });
    } finally {
      await proxy.stop();
      await postgres.stop();
    }
  },
};
