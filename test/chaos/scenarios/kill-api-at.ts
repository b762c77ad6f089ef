import { eventually } from '../eventually.ts';
import type { ChaosContext, ScenarioResult } from '../scenario.ts';
import { Stage } from '../stage.ts';
import { order } from '../workflows.ts';

const crashes = 4;

/** The API dies at a place in the middle of a start, is started again and dies again; the client repeats with its key. */
export async function killApiAt(context: ChaosContext, place: string): Promise<ScenarioResult> {
  return Stage.run(context, {}, async (stage) => {
    const workflow = await stage.publish(order(stage.sink.url));
    const slice = Math.ceil(context.executions / (crashes + 1));
    let struck = 0;
    let interrupted = 0;
    for (let round = 0, started = 0; started < context.executions; round++) {
      const count = Math.min(slice, context.executions - started);
      const isArmed = round < crashes;
      await stage.fleet.restartApi({ FAILPOINTS: isArmed ? `${place}=kill@${context.random.whole(1, count)}` : '' });
      const starting = stage.starter.start(workflow, `round-${round}`, count, 300);
      started += count;
      if (!isArmed) {
        await starting;
        continue;
      }
      const how = await Promise.race([stage.fleet.api.exited, starting.then(() => 'alive')]);
      if (how === 'SIGKILL') struck += 1;
      interrupted += (await stage.watcher.query('select 1 from execution_heads')).length;
      await stage.fleet.restartApi();
      stage.faultEnded();
      await starting;
    }
    await eventually('everything was accepted', 10_000, () => stage.starter.accepted.length === context.executions);
    stage.verdict.struck(`API killed at ${place}`, struck, crashes);
    stage.verdict.struck('starts that the client repeated', stage.starter.repeated, crashes);
    stage.verdict.struck('executions open at a crash', interrupted);
    // Only what was committed before the crash can be known already.
    stage.verdict.struck('starts known by their key although their answer was lost', stage.starter.accepted.filter(({ existing }) => existing).length, crashes);
    stage.verdict.expect(new Set(stage.starter.accepted.map(({ id }) => id)).size === context.executions, 'I1: two keys were given the same execution, or one key two.');
  });
}
