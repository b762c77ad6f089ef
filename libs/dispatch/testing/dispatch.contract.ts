import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ActivationRef, Dispatch } from '../src/index.ts';

export interface DispatchSetup {
  /** A dispatch as one process would have it; all of one setup share a server. Messages abandoned come again within a second or so. */
  connect(): Promise<Dispatch>;
  /** For adapters with a server that can fail. */
  faults?: {
    /** Makes the server lose everything it holds. */
    forget(): Promise<void>;
    /** A dispatch with a line of its own to the server. */
    connectByWire(): Promise<{ dispatch: Dispatch; cut(): Promise<void>; restore(): Promise<void>; freeze(): void }>;
  };
  close(): Promise<void>;
}

let queueNumber = 0;

/** What every adapter of Dispatch promises. */
export function describeDispatch(name: string, setup: () => Promise<DispatchSetup>): void {
  describe(`dispatch: ${name}`, () => {
    let world: DispatchSetup;
    let queue: string;
    beforeEach(async () => {
      world = await setup();
      queue = `contract-${process.pid}-${(queueNumber += 1)}`;
    });
    afterEach(() => world.close());

    const ref = (id: string, announcement = 1, priority = 0): ActivationRef => ({ id, announcement, queue, priority });
    const refs = (count: number) => Array.from({ length: count }, (_, index) => ref(`7_0_${index}_0`));

    async function connect(): Promise<Dispatch> {
      const dispatch = await world.connect();
      onTestFinished(() => dispatch.stop());
      return dispatch;
    }

    /** Receives everything with plenty of room, and remembers it. */
    function listen(dispatch: Dispatch): ActivationRef[] {
      const heard: ActivationRef[] = [];
      dispatch.receive(async (batch) => void heard.push(...batch), { queues: [queue], free: () => 100 });
      return heard;
    }

    it('delivers each reference to exactly one of several receivers', async () => {
      const [sender, one, other] = [await connect(), await connect(), await connect()];
      const heard = [listen(one), listen(other), listen(sender)];
      await sender.send(refs(200));
      await until(() => heard.flat().length >= 200);
      await pause(100);
      expect(heard.flat().map(({ id }) => id).toSorted()).toEqual(refs(200).map(({ id }) => id).toSorted());
    });

    it('carries the reference unchanged', async () => {
      const dispatch = await connect();
      const heard = listen(dispatch);
      await dispatch.send([ref('123_0.4-x_4_0', 17, 3)]);
      await until(() => heard.length > 0);
      expect(heard).toEqual([{ id: '123_0.4-x_4_0', announcement: 17, queue, priority: 3 }]);
    });

    it('delivers a reference again under a new announcement number', async () => {
      const dispatch = await connect();
      const heard = listen(dispatch);
      await dispatch.send([ref('1_0_1_0', 1)]);
      await until(() => heard.length === 1);
      await dispatch.send([ref('1_0_1_0', 2)]);
      await until(() => heard.length === 2);
      expect(heard.map(({ announcement }) => announcement)).toEqual([1, 2]);
    });

    it('ignores an announcement that still waits', async () => {
      const dispatch = await connect();
      await dispatch.send([ref('1_0_1_0'), ref('1_0_1_0')]);
      await dispatch.send([ref('1_0_1_0')]);
      expect(await dispatch.depth(queue)).toBe(1);
      const heard = listen(dispatch);
      await until(() => heard.length > 0);
      await pause(100);
      expect(heard).toHaveLength(1);
    });

    it('hands over the smaller priority first, and equal ones in the order they were sent', async () => {
      const dispatch = await connect();
      await dispatch.send([ref('1_0_1_0', 1, 9), ref('1_0_2_0', 1, 2), ref('1_0_3_0', 1, 0)]);
      await dispatch.send([ref('1_0_4_0', 1, 2)]);
      const heard: string[] = [];
      dispatch.receive(async ([only]) => void heard.push(only!.id), { queues: [queue], free: () => 1 });
      await until(() => heard.length === 4);
      expect(heard).toEqual(['1_0_3_0', '1_0_2_0', '1_0_4_0', '1_0_1_0']);
    });

    it('never takes more than there are free slots', async () => {
      const dispatch = await connect();
      let [free, mostInHand] = [3, 0];
      const running: ActivationRef[] = [];
      const reception = dispatch.receive(
        async (batch) => {
          mostInHand = Math.max(mostInHand, running.length + batch.length);
          await pause(5);
          running.push(...batch);
          free -= batch.length;
        },
        { queues: [queue], free: () => free },
      );
      await dispatch.send(refs(20));
      await until(() => running.length === 3);
      await pause(150);
      expect(running).toHaveLength(3);
      expect(await dispatch.depth(queue)).toBe(17);

      free += 2;
      running.splice(0, 2);
      reception.refill();
      await until(() => running.length === 3);
      expect(mostInHand).toBe(3);
    });

    it('takes references of several queues, and no more than fit in all', async () => {
      const dispatch = await connect();
      const other = `${queue}-other`;
      const heard: string[] = [];
      let [inHand, mostInHand] = [0, 0];
      dispatch.receive(
        async (batch) => {
          mostInHand = Math.max(mostInHand, (inHand += batch.length));
          await pause(5);
          heard.push(...batch.map((one) => one.queue));
          inHand -= batch.length;
        },
        { queues: [queue, other], free: () => 2 },
      );
      await dispatch.send([...refs(5), ...refs(5).map((one) => ({ ...one, queue: other }))]);
      await until(() => heard.length === 10);
      expect(heard.filter((one) => one === other)).toHaveLength(5);
      expect(mostInHand).toBeLessThanOrEqual(2);
    });

    it('delivers a reference again when its receiver rejected', async () => {
      const dispatch = await connect();
      const heard: ActivationRef[] = [];
      dispatch.receive(
        async (batch) => {
          heard.push(...batch);
          if (heard.length === 1) throw new Error('the database is away');
        },
        { queues: [queue], free: () => 10 },
      );
      await dispatch.send([ref('1_0_1_0')]);
      await until(() => heard.length === 2);
      expect(heard[1]).toEqual(heard[0]);
    });

    it('lets the receiver finish before stop resolves, and leaves what was not taken to others', async () => {
      const leaving = await connect();
      await leaving.send(refs(5));
      let finished = 0;
      leaving.receive(async (batch) => (await pause(200), void (finished += batch.length)), { queues: [queue], free: () => 2 - finished });
      await until(async () => (await leaving.depth(queue)) === 3);
      const stays = world.faults ? await connect() : null;
      await leaving.stop();
      expect(finished).toBe(2);
      if (stays) {
        const heard = listen(stays);
        await until(() => heard.length === 3);
      }
    });

    it('stops although no message comes that it waits for, and takes none afterwards', async () => {
      const dispatch = await connect();
      const heard = listen(dispatch);
      await pause(100);
      await dispatch.stop();
      if (world.faults) await (await connect()).send([ref('1_0_1_0')]);
      await pause(100);
      expect(heard).toEqual([]);
    });

    it('counts what it sent and received', async () => {
      const dispatch = await connect();
      const heard = listen(dispatch);
      await dispatch.send(refs(10));
      await until(() => heard.length === 10);
      expect(dispatch.health()).toMatchObject({ status: 'ok', sent: 10, received: 10, failedSends: 0 });
    });

    if (name === 'memory') return; // Has no server that could fail.
    describe('when the server fails', () => {
      it('delivers a reference again when its first receiver vanished', async () => {
        const vanishing = await world.faults!.connectByWire();
        const taken: ActivationRef[] = [];
        vanishing.dispatch.receive((batch) => (taken.push(...batch), new Promise(() => {})), { queues: [queue], free: () => 10 });
        const stays = await connect();
        await stays.send([ref('1_0_1_0')]);
        await until(() => taken.length === 1);
        await vanishing.cut();
        const heard = listen(stays);
        await until(() => heard.length === 1);
        expect(heard).toEqual(taken);
      });

      it('delivers what is sent after the server forgot everything', async () => {
        const dispatch = await connect();
        const heard = listen(dispatch);
        await dispatch.send([ref('1_0_1_0')]);
        await until(() => heard.length === 1);
        await world.faults!.forget();
        await dispatch.send([ref('1_0_2_0')]);
        await until(() => heard.length === 2);
        expect(heard.map(({ id }) => id)).toEqual(['1_0_1_0', '1_0_2_0']);
      });

      it('resolves send within its bound although the server is down, and says so', async () => {
        const { dispatch, cut, restore } = await world.faults!.connectByWire();
        onTestFinished(() => dispatch.stop());
        await dispatch.send([ref('1_0_1_0')]);
        await cut();
        await dispatch.send([ref('1_0_2_0')]);
        await dispatch.send([ref('1_0_3_0')]);
        expect(dispatch.health()).toMatchObject({ status: 'degraded', failedSends: 2 });
        await restore();
        await until(async () => (await dispatch.send([ref('1_0_4_0')]), (await dispatch.depth(queue)) === 2));
      });

      it('receives again by itself after the server was down', async () => {
        const { dispatch, cut, restore } = await world.faults!.connectByWire();
        onTestFinished(() => dispatch.stop());
        const heard = listen(dispatch);
        const sender = await connect();
        await sender.send([ref('1_0_1_0')]);
        await until(() => heard.length === 1);
        await cut();
        await sender.send([ref('1_0_2_0')]);
        await pause(700);
        expect(heard).toHaveLength(1);
        await restore();
        // The first may come twice: its receiver could not settle it any more.
        await until(() => heard.some(({ id }) => id === '1_0_2_0'));
      });

      it('replaces a consumer that fell silent while messages wait', async () => {
        const { dispatch, freeze } = await world.faults!.connectByWire();
        onTestFinished(() => dispatch.stop());
        const heard = listen(dispatch);
        const sender = await connect();
        await sender.send([ref('1_0_1_0')]);
        await until(() => heard.length === 1);
        freeze();
        await sender.send([ref('1_0_2_0')]);
        // The first may come twice: its receiver could not settle it any more.
        await until(() => heard.some(({ id }) => id === '1_0_2_0'));
        expect(dispatch.health().consumersRecreated).toBeGreaterThan(0);
      });

      it('replaces a connection for sending that fell silent', async () => {
        const { dispatch, freeze } = await world.faults!.connectByWire();
        onTestFinished(() => dispatch.stop());
        await dispatch.send([ref('1_0_1_0')]);
        freeze();
        await until(async () => (await dispatch.send([ref('1_0_2_0')]), (await dispatch.depth(queue)) === 2));
      });
    });
  });
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 15_000; !(await condition()); await pause(5)) {
    if (performance.now() > end) throw new Error(`still not so after 15 s: ${condition.toString()}`);
  }
}
