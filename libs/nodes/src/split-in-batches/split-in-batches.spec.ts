import { describe, expect, it } from 'vitest';
import type { Item, JsonObject, Source } from '@app/engine';
import { loopMemory, type TestRun } from '../../testing/node-context.ts';
import { jsonOf, outputsOf } from '../../testing/run-node.ts';
import { splitInBatches } from './split-in-batches.ts';

const ids = (...numbers: number[]): JsonObject[] => numbers.map((id) => ({ id }));
const from = (previousNode: string, previousNodeRun = 0): Source => ({ previousNode, previousNodeOutput: 0, previousNodeRun });

/** Enters with the first list; each further list is what a pass of the loop brought back. */
async function play(version: number, parameters: JsonObject, arrivals: readonly JsonObject[][]): Promise<{ outputs: JsonObject[][][]; state: JsonObject }> {
  const memory = loopMemory();
  const outputs: JsonObject[][][] = [];
  for (const items of arrivals) outputs.push(await jsonOf(splitInBatches, { version, parameters, inputs: [items], memory }));
  return { outputs, state: memory.state };
}

describe('Split In Batches 3', () => {
  it('hands out batch after batch and in the end all that came back', async () => {
    const { outputs } = await play(3, { batchSize: 2 }, [ids(1, 2, 3), ids(10, 20), ids(30)]);
    expect(outputs).toEqual([
      [[], ids(1, 2)],
      [[], ids(3)],
      [ids(10, 20, 30), []],
    ]);
  });

  it('takes one item at a time by default', async () => {
    const { outputs } = await play(3, {}, [ids(1, 2)]);
    expect(outputs[0]).toEqual([[], ids(1)]);
  });

  it('shows its progress to expressions and stays exhausted', async () => {
    const { state } = await play(3, {}, [ids(1, 2), ids(1), ids(2)]);
    expect(state).toMatchObject({ currentRunIndex: 2, maxRunIndex: 2, noItemsLeft: true, done: true });
  });

  it('collects on when it is entered again after its end', async () => {
    const { outputs } = await play(3, {}, [ids(1), ids(10), ids(7)]);
    expect(outputs[2]).toEqual([ids(10, 7), []]);
  });

  it('starts over with reset, with a new list of processed items', async () => {
    const memory = loopMemory();
    const pass = (items: JsonObject[], reset: boolean) =>
      jsonOf(splitInBatches, { parameters: { options: { reset } }, inputs: [items], memory });
    await pass(ids(1), false);
    await pass(ids(10), false);
    expect(await pass(ids(2), true)).toEqual([[], ids(2)]);
    expect(await pass(ids(20), false)).toEqual([ids(20), []]);
  });

  it('pairs the first batch with its input and later ones with the run they arrived with', async () => {
    const memory = loopMemory();
    const run: TestRun = { memory, inputs: [ids(1, 2)], sources: [from('In')] };
    const [, first] = await outputsOf(splitInBatches, run);
    expect(first).toEqual([{ json: { id: 1 }, pairedItem: { item: 0 } }]);
    const [, second] = await outputsOf(splitInBatches, { ...run, inputs: [ids(1)], sources: [from('Work')] });
    expect(second).toEqual([{ json: { id: 2 }, pairedItem: { item: 1, sourceOverwrite: from('In') } }]);
  });

  it('is done at once when it is entered without items', async () => {
    expect((await play(3, {}, [[]])).outputs).toEqual([[[], []]]);
  });

  it('refuses a batch size below 1', async () => {
    await expect(play(3, { batchSize: 0 }, [ids(1)])).rejects.toThrow(/batch size/);
  });

  it('reads no more than its batch in any of many passes', async () => {
    const total = 2_000;
    const memory = loopMemory();
    const input = Array.from({ length: total }, (_, id): Item => ({ json: { id } }));
    const seen: number[] = [];
    for (let pass = 0; pass < total; pass++) {
      const [, batch] = await outputsOf(splitInBatches, { memory, inputs: [pass === 0 ? input : []] });
      seen.push(batch!.length);
    }
    expect(new Set(seen)).toEqual(new Set([1]));
    // What is committed with each run must not grow with the loop.
    expect(JSON.stringify(memory.state).length).toBeLessThan(300);
  });
});

describe('Split In Batches 1 and 2', () => {
  it('swaps the outputs in version 2', async () => {
    const { outputs } = await play(2, { batchSize: 1 }, [ids(1), ids(10)]);
    expect(outputs).toEqual([
      [ids(1), []],
      [[], ids(10)],
    ]);
  });

  it('has one output in version 1 and puts out nothing at all at its end', async () => {
    const { outputs } = await play(1, { batchSize: 1 }, [ids(1), ids(10)]);
    expect(outputs).toEqual([[ids(1)], []]);
    expect(splitInBatches.description.outputs(1, {})).toBe(1);
  });
});
