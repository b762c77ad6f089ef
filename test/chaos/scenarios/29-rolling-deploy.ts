import { LOST } from '../invariant-statements.ts';
import type { Scenario } from '../scenario.ts';
import { Stage } from '../stage.ts';
import type { Member } from '../world/crew.ts';
import { order } from '../workflows.ts';
import { untilBusy } from './zombie.ts';

const graceMs = 10_000;
const deploysWithGrace = 4;
const hastyWorkers = 3;
/** Longer than a worker without grace may take to give back what it runs. */
const nodeMs = 500;

/**
 * Long leases: a machine that is merely slow must not look like a drain that lost something. Few slots: no worker can
 * take all there is, so each is busy when its turn comes.
 */
const env = { LEASE_SECONDS: '6', SHUTDOWN_GRACE_MS: String(graceMs), WORKER_SLOTS: '2' };

/**
 * Workers are exchanged one by one while they are busy: first with time to finish, then with none, then by SIGKILL
 * because they took too long. Only the last may cost an attempt.
 */
export const rollingDeploy: Scenario = {
  number: 29,
  title: 'rolling deploy: SIGTERM with running nodes; SIGKILL when the grace is over',
  run: (context) =>
    // A try that is handed back has called already, so a key may be called once more for each hand-back of phase two.
    Stage.run(context, { env, spareCalls: 1 }, async (stage) => {
      const workflow = await stage.publish(order(stage.sink.url, { ms: nodeMs }));
      const third = Math.ceil(context.executions / 3);
      let inHand = 0;
      const exchange = async (old: Member, ended: string): Promise<void> => {
        inHand += await busyAtLast(stage, workflow, old);
        stage.crew.retire(old);
        old.process.signal('SIGTERM');
        const [how] = await Promise.all([old.process.exited, stage.crew.hire(1)]);
        stage.verdict.expect(String(how) === ended, `Worker ${old.id} was to end with ${ended} and ended with ${how}.`);
      };

      const slice = Math.ceil(third / deploysWithGrace);
      const starting: Promise<unknown>[] = [];
      for (let deploy = 0; deploy < deploysWithGrace; deploy++) {
        // New work with each deploy: the start of a process may take longer than all that was there before.
        await stage.calm();
        starting.push(stage.startInWaves(workflow, `patient-${deploy}`, slice, 500));
        await exchange(stage.crew.members[0]!, '0');
      }
      await Promise.all(starting);
      await stage.settle();
      stage.verdict.struck('workers drained while busy', deploysWithGrace, deploysWithGrace);
      stage.verdict.expect((await stage.watcher.query(LOST)).length === 0, 'I2: a drain with enough time lost a lease.');
      const repeated = [...stage.sink.counts().values()].filter((count) => count > 1).length;
      stage.verdict.expect(repeated === 0, `I4: a drain with enough time repeated ${repeated} effects.`);
      await handBack(stage, workflow, third, exchange);
      await killLate(stage, workflow, context.executions - 2 * third);
      stage.verdict.struck('activations in the hands of workers at SIGTERM', inHand, deploysWithGrace);
    }),
};

/** Starts more until the worker has something in hand, and says how much. */
async function busyAtLast(stage: Stage, workflow: string, worker: Member): Promise<number> {
  for (let more = 0; more < 50; more++) {
    const busy = await untilBusy(stage, worker.id, 1, 300).catch(() => 0);
    if (busy > 0) return busy;
    await stage.starter.startOne(workflow, `${worker.id}-${more}`);
  }
  throw new Error(`${worker.id} takes no work.`);
}

/** No grace at all: what runs is given back at once, and the attempt does not count. */
async function handBack(stage: Stage, workflow: string, executions: number, exchange: (old: Member, ended: string) => Promise<void>): Promise<void> {
  const starting = stage.startInWaves(workflow, 'hasty', executions, 1_500);
  // What a worker has in hand at the moment may be over within the little grace: several get their turn.
  for (let turn = 0; turn < hastyWorkers; turn++) await exchange(await stage.crew.hireWith({ SHUTDOWN_GRACE_MS: '50' }), '0');
  await starting;
  await stage.settle();
  // Until here nothing was called twice, so what was called again had been given back in the middle.
  stage.verdict.struck('effects begun again after a hand-back', [...stage.sink.counts().values()].filter((count) => count > 1).length);
  stage.verdict.expect((await stage.watcher.query(LOST)).length === 0, 'I2: a hand-back was counted as a lost attempt.');
}

/** The orchestrator loses patience. */
async function killLate(stage: Stage, workflow: string, executions: number): Promise<void> {
  const starting = stage.startInWaves(workflow, 'late', executions, 1_500);
  const victim = stage.crew.members[0]!;
  await busyAtLast(stage, workflow, victim);
  stage.crew.retire(victim);
  victim.process.signal('SIGTERM');
  victim.process.signal('SIGKILL');
  const how = await victim.process.exited;
  await stage.crew.hire(1);
  stage.faultEnded();
  await starting;
  await stage.settle();
  stage.verdict.struck('workers killed because they took too long', how === 'SIGKILL' ? 1 : 0);
  stage.verdict.struck('attempts lost by that', (await stage.watcher.query(LOST)).length);
}
