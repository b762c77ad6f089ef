import type { ChaosContext, ScenarioResult } from '../scenario.ts';
import { Stage } from '../stage.ts';
import { order } from '../workflows.ts';

const crashes = 4;

/** The API dies at a place in the middle of a start, is started again and dies again; the client repeats with its key. */
export async function killApiAt(context: ChaosContext, place: string): Promise<ScenarioResult> {
  const armed = (): Record<string, string> => ({ FAILPOINTS: `${place}=kill@${context.random.whole(1, Math.max(1, Math.floor(context.executions / 8)))}` });
  return Stage.run(context, { apiEnv: armed() }, async (stage) => {
    const workflow = await stage.publish(order(stage.sink.url));
    let struck = 0;
    let interrupted = 0;
    const starting = stage.starter.start(workflow, 'order', context.executions, stage.loadMs).then(() => 'accepted');
    while ((await Promise.race([stage.fleet.api.exited, starting])) === 'SIGKILL') {
      struck += 1;
      interrupted += stage.watcher.open;
      // With clients waiting it may die again before anybody could ask whether it is ready.
      await stage.fleet.restartApi(struck < crashes ? armed() : { FAILPOINTS: '' }).catch(async (error: unknown) => {
        if (struck >= crashes || (await stage.fleet.api.exited) !== 'SIGKILL') throw error;
      });
      stage.faultEnded();
    }
    await starting;
    const { accepted, repeated } = stage.starter;
    stage.verdict.struck(`API killed at ${place}`, struck, crashes);
    stage.verdict.struck('starts that the client repeated', repeated, crashes);
    stage.verdict.struck('executions open at a crash', interrupted);
    // Only what was committed before the crash can be known already.
    stage.verdict.struck('starts known by their key although their answer was lost', accepted.filter(({ existing }) => existing).length, crashes);
    stage.verdict.expect(new Set(accepted.map(({ id }) => id)).size === context.executions, 'I1: two keys were given the same execution, or one key two.');
  });
}
