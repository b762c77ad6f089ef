import { describe, expect, it } from 'vitest';
import type { ClaimedActivation } from '@app/store';
import { buildProgram } from '@app/engine/testing/build-program.ts';
import { fanOf, inOneSlot, type DrivenExecution } from '../driven-execution.ts';
import type { Workbench } from '../store.contract.ts';

/** More than a commit reads of a slot, and more than a small execution has of anything. */
const WIDTH = 210;

/** What a join of many does must not depend on who reads how much of it. */
export function joinsContract(bench: Workbench): void {
  const fan = () => buildProgram(fanOf(WIDTH));
  const shapes = { 'a slot for each branch': fan, 'one slot for all': () => inOneSlot(fan(), 'z') };

  describe.each(Object.entries(shapes))('a join of many branches with %s', (_, program) => {
    const branches = async (): Promise<{ run: DrivenExecution; claimed: ClaimedActivation[] }> => {
      const run = bench.drive(program());
      await run.start(['a']);
      for (const first of await run.claim()) await run.finish(first);
      return { run, claimed: await run.claim() };
    };

    it('fires once, with what the live ones brought, when all have come side by side', async () => {
      const { run, claimed } = await branches();
      expect(claimed).toHaveLength(WIDTH);
      const isDead = ({ node }: { node: number }) => node % 3 === 0;
      const results = await Promise.all(claimed.map((activation) => (isDead(activation) ? run.take(activation) : run.finish(activation))));
      expect(results.flatMap(({ ready }) => ready)).toHaveLength(1);
      const [join, ...others] = await run.claim();
      expect(others).toEqual([]);
      const { inputs } = join!;
      const live = claimed.filter((activation) => !isDead(activation)).map(({ node }) => node).sort((x, y) => x - y);
      // In one slot the last edge of the program counts.
      expect(inputs.flatMap((input) => (input?.ref ? [input.ref.node] : []))).toEqual(inputs.length === 1 ? live.slice(-1) : live);
      expect((await bench.store.readSnapshot(run.id))!.tokens.size).toBe(0);
      expect((await run.finish(join!)).ended).toBe('succeeded');
    }, 60_000);

    it('is skipped when none of them is live', async () => {
      const { run, claimed } = await branches();
      const rest = claimed.splice(3);
      await Promise.all(rest.map((activation) => run.take(activation)));
      for (const activation of claimed) await run.take(activation);
      expect(await run.status()).toBe('succeeded');
      const runs = await bench.store.listRuns(run.id, -1, 1_000);
      expect(runs.filter(({ status }) => status === 'skipped')).toMatchObject([{ node: run.node('z'), seq: 0 }]);
    }, 60_000);

    it('is skipped with all its branches when nothing reaches any of them', async () => {
      const run = bench.drive(program());
      await run.start(['a']);
      await run.take(await run.claimOne('a'));
      expect(await run.status()).toBe('succeeded');
      expect((await bench.store.listRuns(run.id, -1, 1_000)).filter(({ status }) => status === 'skipped')).toHaveLength(WIDTH + 1);
    }, 60_000);
  });

  it('takes from each branch what came last, however many wait already', async () => {
    const { nodes, edges } = fanOf(WIDTH);
    const again = nodes.map((node) => (node.name === 'b7' ? { ...node, entrance: 'each' as const, ports: ['out', 'again'] } : node));
    const run = bench.drive(inOneSlot(buildProgram({ nodes: again, edges: [...edges, 'b7.again -> b7'] }), 'z'));
    await run.start(['a']);
    await run.finish(await run.claimOne('a'));
    const claimed = await run.claim();
    const turning = claimed.find((activation) => run.name(activation) === 'b7')!;
    const others = claimed.filter((activation) => activation !== turning);
    await Promise.all(others.slice(0, 100).map((activation) => run.take(activation)));
    await run.take(turning, 'out', 'again');
    await Promise.all(others.slice(100, -1).map((activation) => run.take(activation)));
    await run.take(await run.claimOne('b7'), 'out');
    const waiting = (await bench.store.readSnapshot(run.id))!.tokens.get(`:${run.node('z')}`)!.tokens;
    expect(waiting).toHaveLength(WIDTH - 1);
    expect(waiting.filter(({ live }) => live)).toMatchObject([{ ref: { node: run.node('b7'), seq: 1 } }]);
    await run.take(others.at(-1)!);
    expect(await run.claim()).toMatchObject([{ node: run.node('z'), inputs: [{ ref: { node: run.node('b7'), seq: 1 } }] }]);
  }, 60_000);
}
