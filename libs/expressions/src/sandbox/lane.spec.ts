import { describe, expect, it } from 'vitest';
import { Lane } from './lane.ts';
import { Aborted } from './sandbox-failure.ts';

/** Who is in, in the order of coming. */
function enterAll(lane: Lane, count: number) {
  const inside: number[] = [];
  const places = Array.from({ length: count }, async (_, index) => {
    const place = await lane.enter();
    inside.push(index);
    return place;
  });
  return { inside, places };
}

const turn = () => new Promise((after) => setImmediate(after));

describe('Lane', () => {
  it('lets as many in as it is wide, and the next for each that leaves', async () => {
    const { inside, places } = enterAll(new Lane(2), 4);
    await turn();
    expect(inside).toEqual([0, 1]);
    (await places[1]!).leave();
    (await places[1]!).leave();
    await turn();
    expect(inside).toEqual([0, 1, 2]);
  });

  it('lets others in while some are parked, four for each place', async () => {
    const { inside, places } = enterAll(new Lane(1), 7);
    for (let index = 0; index < 6; index++) {
      await turn();
      (await Promise.race([places[index], turn()]) as { park(): void } | undefined)?.park();
    }
    await turn();
    expect(inside).toEqual([0, 1, 2, 3, 4]);
    (await places[0]!).leave();
    await turn();
    expect(inside).toEqual([0, 1, 2, 3, 4]);
    (await places[4]!).park();
    await turn();
    expect(inside).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('forgets who is called off while waiting', async () => {
    const lane = new Lane(1);
    const first = await lane.enter();
    const off = new AbortController();
    const second = lane.enter(off.signal);
    const third = lane.enter();
    off.abort();
    await expect(second).rejects.toThrow(Aborted);
    await expect(lane.enter(off.signal)).rejects.toThrow(Aborted);
    first.leave();
    (await third).leave();
    await expect(lane.enter()).resolves.toBeDefined();
  });
});
