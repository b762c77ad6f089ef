import type { Item, JsonObject, Source } from '@app/engine';
import { describeNode } from '../description.ts';
import { emit, emitNothing } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import type { NodeResult, OutputPayload } from '../node-result.ts';
import type { NodeType } from '../node-type.ts';
import { flag, number, settings, when } from '../parameters/properties.ts';

/**
 * What a loop remembers. The names up to `done` are those that expressions read as `$('Loop').context`. Never cleared
 * when the loop ends: who enters a second time finds it exhausted, unless `reset` is on.
 */
interface LoopState {
  currentRunIndex: number;
  maxRunIndex: number;
  noItemsLeft: boolean;
  done: boolean;
  /** Next item to hand out, and how many there are. */
  cursor: number;
  total: number;
  /** Where the items came from that are handed out. */
  source: Source | null;
  /** Counts the resets; each has a list of processed items of its own. */
  entry: number;
}

// State key of the reference to the items that are handed out.
const inputKey = 'input';

/**
 * Hands out its first input in batches and collects what comes back. It works on references, so a pass costs as much
 * as its batch and not as the loop: 5,000 passes over 5,000 items stay linear.
 */
export const splitInBatches: NodeType = {
  description: describeNode({
    name: 'splitInBatches',
    displayName: 'Loop Over Items (Split in Batches)',
    versions: [1, 2, 3],
    outputs: (version) => (version === 1 ? 1 : 2),
    lazyInput: true,
    properties: [
      number('batchSize', 10, when({ '@version': [1, 2] })),
      number('batchSize', 1, when({ '@version': [3] })),
      settings([flag('reset', false)]),
    ],
  }),
  run: async (context) => {
    context.signal.throwIfAborted();
    const size = batchSize(context);
    const isEntry = context.state['total'] === undefined || reset(context);
    const loop = isEntry ? enter(context, size) : proceed(context);
    const batch = await nextBatch(context, loop, size, isEntry);
    loop.noItemsLeft = loop.cursor >= loop.total;
    if (context.node.version > 1) loop.done = batch.length === 0;
    Object.assign(context.state, loop);
    return result(context.node.version, batch, { list: processedList(loop) });
  },
};

const processedList = (loop: LoopState): string => (loop.entry === 0 ? 'processed' : `processed#${loop.entry}`);

function batchSize(context: NodeContext): number {
  const size = Number(context.parameter('batchSize', 0, 1));
  if (Number.isFinite(size) && size >= 1) return Math.floor(size);
  throw new NodeError(`The batch size has to be a number of 1 or more, not ${String(context.parameter('batchSize', 0))}.`, {
    retryable: false,
  });
}

const reset = (context: NodeContext): boolean => context.parameter<JsonObject>('options', 0, {})['reset'] === true;

function enter(context: NodeContext, size: number): LoopState {
  const total = context.inputCount();
  context.rememberInput(inputKey);
  return {
    currentRunIndex: 0,
    maxRunIndex: Math.ceil(total / size),
    noItemsLeft: total === 0,
    done: false,
    cursor: 0,
    total,
    source: context.source(),
    entry: context.state['total'] === undefined ? 0 : Number(context.state['entry']) + 1,
  };
}

function proceed(context: NodeContext): LoopState {
  const state = context.state as unknown as LoopState;
  if (context.node.version > 1) context.appendInput(processedList(state));
  return { ...state, currentRunIndex: state.currentRunIndex + 1 };
}

/** Items of a later pass did not arrive with this run, so their pairing names the run they did arrive with. */
async function nextBatch(context: NodeContext, loop: LoopState, size: number, isEntry: boolean): Promise<Item[]> {
  const from = loop.cursor;
  const to = Math.min(from + size, loop.total);
  if (from >= to) return [];
  const sourceOverwrite = isEntry ? null : loop.source;
  const items = await context.readSlice(inputKey, from, to);
  loop.cursor = to;
  return items.map((item, index) => ({
    ...item,
    pairedItem: sourceOverwrite ? { item: from + index, sourceOverwrite } : { item: from + index },
  }));
}

function result(version: number, batch: Item[], processed: OutputPayload): NodeResult {
  const isDone = batch.length === 0;
  if (version === 1) return isDone ? emitNothing : emit(batch);
  const [done, looped]: OutputPayload[] = isDone ? [processed, []] : [[], batch];
  return version === 2 ? emit(looped!, done!) : emit(done!, looped!);
}
