import { eventually, sleep } from '../eventually.ts';
import type { Scenario } from '../scenario.ts';
import { Stage } from '../stage.ts';
import { fanOut } from '../workflows.ts';
import { untilBusy } from './zombie.ts';

const kills = 5;

/** A thousand branches from the usual two hundred executions on; fewer where fewer are asked for. */
const branchesFor = (executions: number): number => (executions >= 200 ? 1_000 : Math.max(50, executions * 5));

export const fanOutUnderFire: Scenario = {
  number: 33,
  title: 'fan-out of a thousand branches, workers killed at random during the join',
  run: (context) =>
    Stage.run(context, { workers: 3, workerEnv: () => ({ CONTINUE_LIMIT: '5' }), outageMs: 30_000, settleMs: 240_000 }, async (stage) => {
      const branches = branchesFor(context.executions);
      const workflow = await stage.publish(fanOut(stage.sink.url, branches));
      const { id } = await stage.starter.startOne(workflow, 'fan-out');
      const done = async (): Promise<number> => (await stage.watcher.query<{ count: number }>(`select count(*)::int as count from runs where execution_id = ${id}`))[0]!.count;
      let duringJoin = 0;
      let shot = 0;
      for (let kill = 0; kill < kills; kill++) {
        // Evenly over the work, so that the last ones fall into the joins.
        const mark = Math.floor((branches * 1.05 * (kill + 1)) / (kills + 1));
        await eventually(`${mark} runs are done`, 120_000, async () => (await done()) >= mark, 10);
        if (stage.watcher.endedAt.has(id)) break;
        // Those that died a moment ago may not have been replaced yet.
        await eventually('somebody works', 30_000, () => stage.crew.members.length > 0, 10);
        const victim = context.random.pick(stage.crew.members);
        const isBusy = await untilBusy(stage, victim.id).catch(() => 0);
        if (isBusy > 0) shot += 1;
        const joining = await stage.watcher.query(`select 1 from tokens where execution_id = ${id} limit 1`);
        if (joining.length > 0) duringJoin += 1;
        victim.process.signal('SIGKILL');
        await sleep(context.random.whole(0, 200));
      }
      stage.faultEnded();
      await stage.settle();
      stage.verdict.struck('branches', branches, branches);
      stage.verdict.struck('workers killed while busy with it', shot, 2);
      stage.verdict.struck('kills while joins had part of their inputs', duringJoin, 2);
      const [lost] = await stage.watcher.query<{ count: number }>("select count(*)::int as count from attempts where outcome = 'l'");
      stage.verdict.struck('attempts lost', lost!.count);
    }),
};
