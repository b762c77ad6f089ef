import { eventually } from '../eventually.ts';
import type { Scenario } from '../scenario.ts';
import { killAt } from './kill-at.ts';

/** A message whose receiver vanished is back after its lock has run out, 10 to 20 s; by then its work is done. */
const redeliveryMs = 30_000;

export const killBeforeAcknowledgement: Scenario = {
  number: 5,
  title: 'kill -9 between the claim and the acknowledgement of its message',
  run: (context) =>
    killAt(context, {
      place: 'worker:before-ack',
      passings: [1, 4],
      losesWork: true,
      also: async (stage) => {
        const redelivered = await eventually('the messages of the dead are delivered again', redeliveryMs, () => stage.crew.total('duplicate_deliveries_total'), 500).catch(() => 0);
        stage.verdict.struck('finished activations announced again', redelivered);
        await eventually('the queue is empty', redeliveryMs, async () => (await stage.redis.messages()) === 0, 500).catch(() => stage.verdict.expect(false, 'I8: messages are left in the queue.'));
      },
    }),
};
