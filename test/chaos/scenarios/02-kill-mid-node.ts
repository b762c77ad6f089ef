import { eventually } from '../eventually.ts';
import { RUNS } from '../invariant-statements.ts';
import type { Scenario } from '../scenario.ts';
import { Stage } from '../stage.ts';
import { deathsFor, inSlices } from './kill-at.ts';

interface Run {
  readonly id: string;
  readonly node: number;
}

const fingerprint = (run: Run): string => JSON.stringify(run);

/** The node sleeps in the sink while its worker is shot; what had been committed before must stay as it is. */
export const killMidNode: Scenario = {
  number: 2,
  title: 'kill -9 of a worker in the middle of a node',
  run: (context) =>
    Stage.run(context, {}, async (stage) => {
      const wanted = deathsFor(context.executions);
      const committed = new Map<string, string>();
      let callsToGo = Infinity;
      stage.sink.whileRunning = async ({ execution }) => {
        callsToGo -= 1;
        if (callsToGo > 0) return;
        const before = await stage.watcher.query<Run>(`select * from (${RUNS}) r where id = '${execution}'`);
        const [holder] = await stage.watcher.query<{ worker: string }>(`select worker from activations where execution_id = ${execution} and status = 'x' limit 1`);
        const victim = holder && stage.crew.member(holder.worker);
        if (!victim || callsToGo === Infinity) return;
        callsToGo = Infinity;
        for (const run of before) committed.set(`${run.id}/${run.node}`, fingerprint(run));
        victim.process.signal('SIGKILL');
      };
      await inSlices(stage, wanted, async (slice) => {
        callsToGo = context.random.whole(2, 12);
        await eventually(`worker ${slice + 1} was shot`, 20_000, () => stage.crew.deaths.length > slice).catch(() => {});
      });
      await stage.settle();
      stage.verdict.struck('workers killed while a node ran', stage.crew.deaths.length, wanted - 1);
      const lost = await stage.watcher.query('select 1 from attempts where outcome = \'l\'');
      stage.verdict.struck('attempts lost', lost.length, stage.crew.deaths.length);
      const after = new Map((await stage.watcher.query<Run>(RUNS)).map((run) => [`${run.id}/${run.node}`, fingerprint(run)]));
      for (const [key, run] of committed) stage.verdict.expect(after.get(key) === run, `I2: run ${key} was committed as ${run} before the kill and is now ${after.get(key) ?? 'gone'}.`);
      stage.verdict.struck('committed predecessors compared', committed.size);
    }),
};
