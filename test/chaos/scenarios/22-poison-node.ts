import { eventually } from '../eventually.ts';
import type { Scenario } from '../scenario.ts';
import { Stage } from '../stage.ts';
import { documentOf, noOp, start, type WorkflowUnderTest } from '../workflows.ts';

const deaths = ['exit', 'segfault', 'oom'] as const;
const maxLosses = 3;
/** Where the deadly node stands in its workflow. */
const deadlyNode = 1;
/** Twice the usual lease: running out of memory takes seconds, and a worker must not be robbed before it has died. */
const leaseSeconds = 4;

const poison = (death: string): WorkflowUnderTest => ({
  document: documentOf(`Poison: ${death}`, [start(), noOp(death), noOp('After')], [['Start', death], [death, 'After']]),
  effects: [],
  joins: [],
  waits: [],
});

/** A node that takes its process along, every time, beside the ordinary load. */
export const poisonNode: Scenario = {
  number: 22,
  title: 'poison node: process.exit, segfault, out of memory at each attempt',
  run: async (context) => {
    const poisoned = new Set<string>();
    const armed = { FAILPOINTS: deaths.map((death) => `worker:node/${death}=${death}`).join(','), NODE_OPTIONS: '--max-old-space-size=160', WORKER_SLOTS: '6' };
    return Stage.run(context, { workers: 3, workerEnv: () => armed, env: { MAX_LOSSES: String(maxLosses), LEASE_SECONDS: String(leaseSeconds) }, statusOf: ({ id }) => (poisoned.has(id) ? 'f' : 's') }, async (stage) => {
      const loading = await stage.begin({ overMs: 12_000 });
      const rounds = Math.max(1, Math.round(context.executions / 100));
      for (let round = 0; round < rounds; round++) {
        for (const death of deaths) {
          const workflow = await stage.publish(poison(death));
          const { id } = await stage.starter.startOne(workflow, `${death}-${round}`);
          poisoned.add(id);
          await eventually(`poison ${id} (${death}) is given up`, 60_000, () => stage.watcher.endedAt.has(id));
          const lost = await stage.watcher.query(`select 1 from attempts where execution_id = ${id} and node = ${deadlyNode} and outcome = 'l'`);
          stage.verdict.expect(lost.length === maxLosses, `Poison "${death}" was tried ${lost.length} times instead of ${maxLosses}.`);
          const [row] = await stage.watcher.query<{ error: string | null }>(`select error from executions where execution_id = ${id}`);
          stage.verdict.expect(/lost its worker/.test(row?.error ?? ''), `The error of poison "${death}" does not say what happened: ${row?.error}.`);
        }
      }
      stage.faultEnded();
      await loading.accepted;
      // A process that runs out of memory may outlive its last lease, and with it the execution.
      await eventually('everybody who was struck has died', 30_000, () => stage.crew.deaths.length >= maxLosses * deaths.length * rounds).catch(() => {});
      for (const death of deaths) stage.verdict.struck(`processes ended by ${death}`, stage.crew.strikes(`worker:node/${death}`), maxLosses * rounds);
      stage.verdict.struck('processes lost', stage.crew.deaths.length, maxLosses * deaths.length * rounds);
      stage.verdict.struck('ways to die', new Set(stage.crew.deaths.map(({ how }) => how)).size, deaths.length);
      await stage.starter.start(stage.starter.accepted.find(({ id }) => !poisoned.has(id))!.workflow, 'after', 5, 200);
      await stage.settle();
    });
  },
};
