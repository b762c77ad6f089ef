import { ApiRefusal } from '../../support/fleet.ts';
import { eventually, sleep } from '../eventually.ts';
import type { Scenario } from '../scenario.ts';
import { Stage } from '../stage.ts';
import { calling, documentOf, effect, fail, order, start, type WorkflowUnderTest } from '../workflows.ts';

const failing = (sinkUrl: string): WorkflowUnderTest => ({
  document: documentOf('Fails', [start(), effect('Try', sinkUrl, 60), fail('Give up')], [['Start', 'Try'], ['Try', 'Give up']]),
  effects: ['Try'],
  joins: [],
  waits: [],
});

type Command = 'cancel' | 'stop' | 'retry';

/** Cancels, stops and retries hit executions at every moment of their lives, the last one too. */
export const racingCommands: Scenario = {
  number: 32,
  title: 'cancel, stop and retry racing with completion',
  run: (context) =>
    Stage.run(context, { statusOf: () => null }, async (stage) => {
      const { random } = context;
      const ordered = await stage.publish(order(stage.sink.url, { ms: 40, waitMs: 200 }));
      const failed = await stage.publish(failing(stage.sink.url));
      const ids = [ordered, failed, ordered, failed, await stage.publish(calling(ordered))];
      const answers = { accepted: 0, refused: 0 };
      const promised = new Set<string>();
      const command = async (id: string, which: Command): Promise<void> => {
        try {
          await stage.fleet.call('POST', `executions/${id}/${which}`, which === 'retry' ? {} : undefined);
          answers.accepted += 1;
          if (which !== 'retry') promised.add(id);
        } catch (error) {
          if (!(error instanceof ApiRefusal) || error.status !== 409) throw error;
          answers.refused += 1;
        }
      };
      await Promise.all(
        Array.from({ length: context.executions }, async (_, index) => {
          await sleep(index * 40);
          const { id } = await stage.starter.startOne(ids[index % ids.length]!, `race-${index}`);
          const isCaller = index % ids.length === ids.length - 1;
          const commands = isCaller ? [{ which: 'cancel' as const, afterMs: random.whole(0, 300) }] : Array.from({ length: random.whole(1, 2) }, () => ({ which: random.pick<Command>(['cancel', 'stop', 'retry']), afterMs: random.whole(0, 1_500) }));
          // What it calls is to run when it is canceled.
          if (isCaller) await eventually(`${id} calls`, 30_000, async () => (await stage.watcher.query(`select 1 from executions where parent_execution_id = ${id}`)).length > 0, 20);
          // Every other failing one is left alone until it fails, and then everything at once.
          if (index % ids.length === 1) await eventually(`${id} fails`, 30_000, () => stage.watcher.endedAt.has(id));
          const afterwards: typeof commands = index % ids.length === 1 ? [{ which: 'retry', afterMs: 0 }, { which: 'retry', afterMs: 0 }, { which: 'cancel', afterMs: 0 }] : commands;
          await Promise.all(afterwards.map(async ({ which, afterMs }) => (await sleep(afterMs), command(id, which))));
        }),
      );
      await stage.settle();
      const ended = await stage.watcher.query<{ id: string; status: string; retry_of: string | null }>('select execution_id::text as id, status, retry_of::text from executions');
      const count = (status: string): number => ended.filter((row) => row.status === status).length;
      for (const id of promised) stage.verdict.expect(ended.some((row) => row.id === id && row.status === 'c'), `I1: a cancel of execution ${id} was accepted, and it did not end as canceled.`);
      stage.verdict.struck('commands accepted', answers.accepted, context.executions / 5);
      stage.verdict.struck('commands that came too late', answers.refused);
      stage.verdict.struck('executions canceled', count('c'), 2);
      stage.verdict.struck('executions that were quicker', count('s') + count('f'), 2);
      stage.verdict.struck('called executions canceled with their callers', (await stage.watcher.query("select 1 from executions where cause = 'caller-ended'")).length);
      stage.verdict.struck('retries begun', ended.filter(({ retry_of }) => retry_of !== null).length);
    }),
};
