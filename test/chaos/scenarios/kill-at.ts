import { eventually } from '../eventually.ts';
import { LOST } from '../invariant-statements.ts';
import type { ChaosContext, ScenarioResult } from '../scenario.ts';
import { Stage } from '../stage.ts';

/** Deaths per hundred executions, and never fewer than this many: each costs the start of a process. */
const deathsPerHundred = 5;
const fewestDeaths = 4;

export const deathsFor = (executions: number): number => Math.max(fewestDeaths, Math.round((executions * deathsPerHundred) / 100));

interface Killing {
  /** Where workers die: a place, or place/node. */
  readonly place: string;
  /** After how many passings of that place a worker dies, both ends included. */
  readonly passings: readonly [least: number, most: number];
  /** Whether each death takes an activation with it, which then has to show as lost. */
  readonly losesWork: boolean;
  readonly also?: (stage: Stage) => Promise<void>;
}

/** Workers die at one place, each after some passings, until there were enough deaths; their replacements live. */
export async function killAt(context: ChaosContext, { place, passings, losesWork, also }: Killing): Promise<ScenarioResult> {
  const wanted = deathsFor(context.executions);
  const armed = (nth: number): Record<string, string> => (nth < wanted ? { FAILPOINTS: `${place}=kill@${context.random.whole(...passings)}` } : {});
  return Stage.run(context, { workerEnv: armed }, async (stage) => {
    const loading = stage.load();
    await eventually(`${wanted} workers were killed at ${place}`, 60_000 + context.executions * 200, () => stage.crew.deaths.length >= wanted || (stage.starter.accepted.length === context.executions && stage.watcher.open === 0));
    stage.faultEnded();
    await loading;
    await stage.settle();
    await also?.(stage);
    const struck = stage.crew.strikes(place);
    stage.verdict.struck(`workers killed at ${place}`, struck, Math.min(wanted, fewestDeaths) - 1);
    stage.verdict.expect(stage.crew.deaths.every(({ how }) => how === 'SIGKILL'), `Workers ended otherwise: ${stage.crew.deaths.map(({ how }) => how).join(', ')}.`);
    if (!losesWork) return;
    const lost = await stage.watcher.query<{ worker: string }>(LOST);
    for (const { worker } of stage.crew.deaths) stage.verdict.expect(lost.some((row) => row.worker === worker), `Worker ${worker} was killed with an activation in hand, but none is noted as lost.`);
    stage.verdict.struck('attempts lost', lost.length);
  });
}
