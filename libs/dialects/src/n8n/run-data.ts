import { link, restrict, type Cell, type ErrorShape, type InputToken, type Instant, type Item, type JsonObject, type LinkedProgram, type OpenActivation, type OutputRef, type PortOutput, type Program, type SettledRun, type Snapshot, type Suspension } from '@app/engine';
import { orderRuns } from './order-runs.ts';

export { orderRuns };

/** A finished run, as the store reads it. */
export interface ViewRun extends Pick<SettledRun, 'scope' | 'node' | 'seq' | 'status' | 'commit' | 'inputs' | 'cause' | 'error'> {
  readonly outputs: readonly Omit<PortOutput, 'items'>[];
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
  readonly logs?: readonly string[];
}

export interface ViewActivation extends OpenActivation {
  readonly status: 'ready' | 'running' | 'waiting';
  readonly startedAt: Instant | null;
  readonly suspension: Suspension | null;
}

export interface ExecutionViewInput {
  readonly program: Program;
  readonly document: JsonObject;
  readonly execution: {
    readonly id: string;
    readonly status: string;
    readonly error: ErrorShape | null;
    readonly waitTill: Instant | null;
    readonly options: JsonObject;
    readonly customData: { readonly [key: string]: string };
    readonly parent: { readonly executionId: string } | null;
  };
  readonly runs: readonly ViewRun[];
  readonly open: readonly ViewActivation[];
  readonly snapshot: Snapshot | undefined;
  readonly cells: readonly Cell[];
  /** Items by reference; undefined when they were not loaded. */
  readonly items: (ref: OutputRef) => readonly Item[] | undefined;
}

type View = { [key: string]: unknown };

/** Authors name their nodes: on an ordinary object `constructor` is there already, and `__proto__` cannot be set. */
const byNodeName = <T>(): { [node: string]: T } => Object.create(null) as { [node: string]: T };

/** The last moment that a date can be. */
const LAST_INSTANT = 8.64e15;

/**
 * An execution in n8n's public shape (IRunExecutionData version 1). Pure: nothing of it is stored. `order` of the
 * run indexes is the serial one, see `orderRuns`.
 */
export function executionView(input: ExecutionViewInput): View {
  const { execution } = input;
  const program = link(restrict(input.program, null, null));
  const ordered = orderRuns(program, input.runs.filter((run) => run.status !== 'void' && run.status !== 'skipped'));
  const runData = byNodeName<View[]>();
  const nameOf = (index: number): string => program.nodes[index]?.name ?? `#${index}`;
  const runIndexes = new Map<string, number>();
  // Run indexes follow the serial order; sources refer to them.
  const all: (ViewRun | ViewActivation)[] = [...ordered, ...input.open.filter((activation) => activation.status === 'waiting')];
  for (const run of all) {
    const list = (runData[nameOf(run.node)] ??= []);
    runIndexes.set(runKey(run), list.length);
    list.push({});
  }
  const context: Context = { program, nameOf, runIndex: (key) => runIndexes.get(runKey(key)) ?? key.seq, items: (ref) => namedItems(input.items(ref), nameOf) };
  all.forEach((run, executionIndex) => {
    const task = 'commit' in run ? taskOf(run, executionIndex, context) : waitingTask(run, executionIndex, context);
    runData[nameOf(run.node)]![runIndexes.get(runKey(run))!] = task;
  });
  const last = all.at(-1);
  return {
    version: 1,
    startData: execution.options['destination'] === undefined ? {} : { destinationNode: { nodeName: execution.options['destination'], mode: 'inclusive' } },
    resultData: {
      runData,
      ...(last && { lastNodeExecuted: lastNode(ordered, input.open, execution.error, nameOf) }),
      ...(execution.error && { error: errorView(execution.error) }),
      ...(Object.keys(execution.customData).length > 0 && { metadata: execution.customData }),
      ...(input.program.attributes['pinData'] !== undefined && { pinData: input.program.attributes['pinData'] }),
    },
    executionData: {
      contextData: contextData(input.cells, nameOf),
      nodeExecutionStack: stackOf(input, context),
      waitingExecution: waitingOf(input, context, 'data'),
      waitingExecutionSource: waitingOf(input, context, 'source'),
      metadata: {},
    },
    ...(execution.parent && { parentExecution: { executionId: execution.parent.executionId } }),
    ...(execution.waitTill !== null && { waitTill: new Date(Math.min(execution.waitTill, LAST_INSTANT)).toISOString() }),
  };
}

interface Context {
  readonly program: LinkedProgram;
  readonly nameOf: (index: number) => string;
  readonly runIndex: (key: { scope: string; node: number; seq: number }) => number;
  readonly items: (ref: OutputRef) => readonly Item[] | null;
}

const runKey = ({ scope, node, seq }: { scope: string; node: number; seq: number }): string => `${scope}:${node}:${seq}`;

/** Node that ended last in serial order: a failed one when the execution failed on it. */
function lastNode(ordered: readonly ViewRun[], open: readonly ViewActivation[], error: ErrorShape | null, nameOf: (index: number) => string): string {
  if (error?.node !== undefined && ordered.some((run) => nameOf(run.node) === error.node)) return error.node;
  const parked = open.find((activation) => activation.status === 'waiting');
  return nameOf((parked ?? ordered.at(-1))!.node);
}

function taskOf(run: ViewRun, executionIndex: number, context: Context): View {
  const status = { done: 'success', failed: 'error', canceled: 'canceled', skipped: 'success', void: 'success' }[run.status];
  const recorded = run.status === 'done' || (run.status === 'failed' && run.outputs.length > 0);
  return {
    startTime: run.startedAt,
    executionTime: Math.max(0, run.finishedAt - run.startedAt),
    executionIndex,
    source: sourceOf(run, context),
    executionStatus: status,
    ...(recorded && { data: { main: outputsOf(run, context) } }),
    ...(run.error && { error: errorView(run.error) }),
    ...(run.logs && run.logs.length > 0 && { metadata: { logs: run.logs } }),
  };
}

function waitingTask(activation: ViewActivation, executionIndex: number, context: Context): View {
  const first = activation.inputs.find((input) => input !== null) ?? null;
  return {
    startTime: activation.startedAt ?? 0,
    executionTime: 0,
    executionIndex,
    source: sourceOf(activation, context),
    executionStatus: 'waiting',
    data: { main: [first && restamp(itemsOf(first, context))] },
  };
}

const restamp = (items: readonly Item[] | null): readonly Item[] | null => items && items.map((item, index) => ({ ...item, pairedItem: { item: index } }));

function outputsOf(run: ViewRun, context: Context): (readonly Item[] | null)[] {
  const main: (readonly Item[] | null)[] = [];
  for (const output of run.outputs) {
    while (main.length <= output.port) main.push([]);
    main[output.port] = output.count === 0 ? [] : (context.items(output.ref ?? { scope: run.scope, node: run.node, seq: run.seq, port: output.port, count: output.count }) ?? null);
  }
  return main.length > 0 ? main : [[]];
}

function sourceOf(run: { inputs: readonly (InputToken | null)[]; node: number }, context: Context): (View | null)[] {
  const views = run.inputs.map((input) => sourceView(input, context));
  if (views.every((view) => view === null)) return [];
  // A node with one input has its source in the first place, whatever the index of the input.
  const multi = context.program.nodes[run.node]!.groups.some((group) => group.slots.length > 1);
  return multi ? views : views.filter((view) => view !== null);
}

function sourceView(input: InputToken | null, { nameOf, runIndex }: Context): View | null {
  if (!input?.from) return null;
  return { previousNode: nameOf(input.from.node), previousNodeOutput: input.from.port, previousNodeRun: runIndex(input.from) };
}

function itemsOf(input: InputToken, context: Context): readonly Item[] | null {
  return input.ref ? context.items(input.ref) : [{ json: {} }];
}

function stackOf(input: ExecutionViewInput, context: Context): View[] {
  const entry = (firing: { node: number; inputs: readonly (InputToken | null)[] }): View => ({
    node: nodeView(input.document, context.nameOf(firing.node)),
    data: { main: firing.inputs.map((token) => token && itemsOf(token, context)) },
    source: firing.inputs.some((token) => token?.from) ? { main: firing.inputs.map((token) => sourceView(token, context)) } : null,
  });
  const failed = input.execution.status === 'failed' ? input.runs.filter((run) => run.status === 'failed' && run.outputs.length === 0) : [];
  const parked = input.open.filter((activation) => activation.status !== 'running');
  return [...failed, ...parked, ...(input.snapshot?.queue ?? [])].map(entry);
}

function nodeView(document: JsonObject, name: string): unknown {
  const nodes = Array.isArray(document['nodes']) ? (document['nodes'] as unknown as JsonObject[]) : [];
  return nodes.find((node) => node['name'] === name) ?? { name };
}

/** Sets of tokens that wait: the i-th set holds the i-th token of every input. */
function waitingOf({ snapshot }: ExecutionViewInput, context: Context, what: 'data' | 'source'): View {
  const view = byNodeName<unknown>();
  for (const { tokens } of snapshot?.tokens.values() ?? []) {
    const first = tokens[0];
    if (!first || !tokens.some((token) => token.live)) continue;
    const node = context.program.nodes[first.node]!;
    const queues = node.slots.map((_, slot) => tokens.filter((token) => token.slot === slot && token.live));
    const depth = Math.max(...queues.map((queue) => queue.length));
    view[node.name] = Object.fromEntries(
      Array.from({ length: depth }, (_, set) => [String(set), { main: queues.map((queue) => (queue[set] ? (what === 'data' ? itemsOf(queue[set], context) : sourceView(queue[set], context)) : null)) }]),
    );
  }
  return view;
}

function contextData(cells: readonly Cell[], nameOf: (index: number) => string): View {
  const view: View = {};
  for (const { node, name, value } of cells) if (node >= 0 && name === 'context') view[`node:${nameOf(node)}`] = value;
  return view;
}

function errorView(error: ErrorShape): View {
  const { message, name, description, node, context, stack } = error;
  return { message, name: name ?? 'Error', ...(description != null && { description }), ...(node !== undefined && { node: { name: node } }), ...(context && { context }), ...(stack !== undefined && { stack }) };
}

/** Pairings that the store wrote with node indexes, by name. */
function namedItems(items: readonly Item[] | undefined, nameOf: (index: number) => string): readonly Item[] | null {
  if (!items) return null;
  return nameSources(items, nameOf);
}

/** Replaces `#<node index>` in source overwrites by the node's name. */
export function nameSources(items: readonly Item[], nameOf: (index: number) => string): readonly Item[] {
  return items.map((item) => {
    const pairing = item.pairedItem;
    if (typeof pairing !== 'object' || Array.isArray(pairing) || !('sourceOverwrite' in pairing) || !pairing.sourceOverwrite?.previousNode.startsWith('#')) return item;
    const { sourceOverwrite } = pairing;
    return { ...item, pairedItem: { ...pairing, sourceOverwrite: { ...sourceOverwrite, previousNode: nameOf(Number(sourceOverwrite.previousNode.slice(1))) } } };
  });
}
