import { eventually } from '../eventually.ts';
import { LOST } from '../invariant-statements.ts';
import type { ChaosContext, ScenarioResult } from '../scenario.ts';
import { Stage } from '../stage.ts';
import { calling, order } from '../workflows.ts';

/** Deaths per hundred executions, and never fewer than this many: each costs the start of a process. */
const deathsPerHundred = 5;
const fewestDeaths = 4;

export const deathsFor = (executions: number): number => Math.max(fewestDeaths, Math.round((executions * deathsPerHundred) / 100));

/** Starts the executions of a scenario in as many slices as workers are to die, each when the crew is complete; every other slice by way of another execution that calls them. */
export async function inSlices(stage: Stage, slices: number, strike: (slice: number) => Promise<void>): Promise<void> {
  const ordered = await stage.publish(order(stage.sink.url));
  const callers = await stage.publish(calling(ordered));
  const { executions } = stage.context;
  const crew = stage.crew.members.length;
  for (let slice = 0, started = 0; started < executions; slice++) {
    const count = slice >= slices - 1 ? executions - started : Math.ceil(executions / slices);
    await eventually('the crew is complete', 30_000, () => stage.crew.members.length >= crew);
    await stage.calm();
    const starting = stage.starter.start(slice % 2 === 0 ? ordered : callers, `slice-${slice}`, count, 400);
    started += count;
    await strike(slice);
    await starting;
  }
  stage.faultEnded();
}

interface Killing {
  /** Where workers die: a place, or place/node. */
  readonly place: string;
  /** After how many passings of that place a worker dies, both ends included. */
  readonly passings: readonly [least: number, most: number];
  /** Whether each death takes an activation with it, which then has to show as lost. */
  readonly losesWork: boolean;
  readonly also?: (stage: Stage) => Promise<void>;
}

/**
 * Workers die at one place, each after some passings. One worker with few slots is spared, so that the others get the
 * work and somebody is left to take over.
 */
export async function killAt(context: ChaosContext, { place, passings, losesWork, also }: Killing): Promise<ScenarioResult> {
  const wanted = deathsFor(context.executions);
  const armed = (nth: number): Record<string, string> => (nth === 0 ? { WORKER_SLOTS: '2' } : nth <= wanted ? { FAILPOINTS: `${place}=kill@${context.random.whole(...passings)}` } : {});
  return Stage.run(context, { workerEnv: armed }, async (stage) => {
    await inSlices(stage, wanted, async (slice) => {
      await eventually(`worker ${slice + 1} was killed`, 20_000, () => stage.crew.deaths.length > slice || (stage.watcher.open === 0 && stage.starter.accepted.length === context.executions)).catch(() => {});
    });
    await stage.settle();
    await also?.(stage);
    const { deaths } = stage.crew;
    stage.verdict.struck(`workers killed at ${place}`, stage.crew.strikes(place), Math.ceil(wanted * 0.75));
    stage.verdict.expect(deaths.every(({ how }) => how === 'SIGKILL'), `Workers ended otherwise: ${deaths.map(({ how }) => how).join(', ')}.`);
    if (!losesWork) return;
    const lost = await stage.watcher.query<{ worker: string }>(LOST);
    for (const { worker } of deaths) stage.verdict.expect(lost.some((row) => row.worker === worker), `Worker ${worker} was killed with an activation in hand, but none is noted as lost.`);
    stage.verdict.struck('attempts lost', lost.length, deaths.length);
  });
}
