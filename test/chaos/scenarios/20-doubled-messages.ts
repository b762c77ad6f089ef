import { activationId } from '@app/engine';
import { BullmqDispatch, redisBackend } from '@app/dispatch';
import { sleep } from '../eventually.ts';
import type { Scenario } from '../scenario.ts';
import { Stage } from '../stage.ts';

interface Open {
  readonly execution: string;
  readonly scope: string;
  readonly node: number;
  readonly seq: number;
}

/** Every activation is announced two or ten times more, while it is ready, while it runs and when it is long done. */
export const doubledMessages: Scenario = {
  number: 20,
  title: 'every message delivered twice, or ten times',
  run: (context) =>
    Stage.run(context, {}, async (stage) => {
      const dispatch = new BullmqDispatch({ backend: redisBackend(stage.redis.url) });
      const copiesOf = new Map<string, number>();
      let isLoading = true;
      let sent = 0;
      const doubling = (async () => {
        while (isLoading || stage.watcher.open > 0) {
          const open = await stage.watcher.query<Open>("select execution_id::text as execution, scope, node, seq from activations where status in ('r', 'x')");
          const ids = open.map(({ execution, ...key }) => activationId(execution, key));
          const done = context.random.shuffled([...copiesOf.keys()].filter((id) => !ids.includes(id))).slice(0, 5);
          const fresh = ids.filter((id) => !copiesOf.has(id));
          for (const id of fresh) copiesOf.set(id, context.random.pick([2, 10]));
          // BullMQ swallows a message it still holds, so every copy has an announcement number of its own.
          const copies = [...fresh, ...done].flatMap((id) => Array.from({ length: copiesOf.get(id)! }, () => ({ id, announcement: 100_000 + sent++, queue: 'default', priority: 0 })));
          await dispatch.send(context.random.shuffled(copies));
          await sleep(50);
        }
      })();
      await stage.load();
      isLoading = false;
      await stage.settle();
      await doubling;
      await dispatch.stop();
      stage.verdict.struck('activations announced again', copiesOf.size, context.executions);
      stage.verdict.struck('surplus messages', sent, copiesOf.size * 2);
      stage.verdict.struck('deliveries that claimed nothing', await stage.crew.total('duplicate_deliveries_total'), context.executions);
    }),
};
