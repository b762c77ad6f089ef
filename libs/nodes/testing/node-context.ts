import type { Instant, Item, Json, JsonObject, Source } from '@app/engine';
import type { ChildEnd } from '../src/node-result.ts';
import type { CodeRequest, CodeResult, ExecutionMode, NodeContext } from '../src/node-context.ts';
import type { NodeType } from '../src/node-type.ts';
import { normaliseParameters } from '../src/parameters/resolve-properties.ts';
import { isExpression } from '../src/values/guards.ts';
import { readPath } from '../src/values/path.ts';

/** Resolves an expression text for one item. */
export type Evaluate = (expression: string, itemIndex: number, items: readonly Item[], variables?: JsonObject) => Json;

export interface TestRun {
  readonly version?: number;
  readonly parameters?: JsonObject;
  /** By main input; items may be given as plain json objects. */
  readonly inputs?: readonly (readonly (Item | JsonObject)[] | null)[];
  readonly sources?: readonly (Source | null)[];
  readonly mode?: ExecutionMode;
  readonly evaluate?: Evaluate;
  readonly runCode?: (request: CodeRequest, items: readonly Item[]) => CodeResult;
  readonly continueOnFail?: boolean;
  readonly children?: readonly ChildEnd[];
  readonly runIndex?: number;
  readonly timezone?: string;
  readonly now?: Instant;
  readonly signal?: AbortSignal;
  readonly memory?: LoopMemory;
  readonly credentials?: { readonly [type: string]: JsonObject };
  readonly staticData?: JsonObject;
}

/** What survives from one run of a node to the next; give the same one to several contexts to play a loop. */
export interface LoopMemory {
  readonly state: JsonObject;
  readonly lists: { [name: string]: Item[] };
  readonly remembered: { [key: string]: readonly Item[] };
}

export const loopMemory = (): LoopMemory => ({ state: {}, lists: {}, remembered: {} });

export interface TestContext extends NodeContext {
  readonly memory: LoopMemory;
  readonly customData: JsonObject;
  readonly logs: string[];
}

const noCode = (): CodeResult => {
  throw new Error('This test gives no runCode.');
};

/** A context over plain values. Expressions other than `={{ $json.path }}` need an `evaluate` of the test. */
export function nodeContext(node: NodeType, run: TestRun = {}): TestContext {
  const version = run.version ?? node.description.versions.at(-1)!;
  const rawParameters = run.parameters ?? {};
  const parameters = normaliseParameters(node.description, { version, parameters: rawParameters });
  const inputs = (run.inputs ?? [[{ json: {} }]]).map((items, input) => items && stamped(items, input));
  const visible = inputs.find((items) => items && items.length > 0) ?? [];
  const evaluate = run.evaluate ?? jsonPath;
  const memory = run.memory ?? loopMemory();
  const customData: JsonObject = {};
  const logs: string[] = [];
  const sourceOf = (input: number): Source | null => run.sources?.[input] ?? null;
  const resolve = (value: Json, itemIndex: number): Json => {
    if (isExpression(value)) return evaluate(value, itemIndex, visible);
    if (Array.isArray(value)) return (value as readonly Json[]).map((each) => resolve(each, itemIndex));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(each, itemIndex)]));
  };

  return {
    node: { id: 'n1', name: 'Node', type: node.description.type, version, rawParameters },
    workflow: { id: 'w1', name: 'Test', active: false, timezone: run.timezone ?? 'UTC' },
    execution: { id: 'e1', mode: run.mode ?? 'trigger' },
    runIndex: run.runIndex ?? 0,
    attempt: 1,
    items: (input = 0) => inputs[input] ?? [],
    inputs: () => inputs,
    inputCount: (input = 0) => inputs[input]?.length ?? 0,
    source: (input = 0) => sourceOf(input),
    parameter: <T>(name: string, itemIndex: number, fallback?: T) =>
      (resolve(readPath(parameters, name), itemIndex) ?? fallback) as T,
    rawParameter: <T>(name: string, fallback?: T) => (readPath(parameters, name) ?? fallback) as T,
    evaluate: (expression, itemIndex, variables) =>
      Promise.resolve().then(() => evaluate(expression, itemIndex, visible, variables)),
    runCode: (request) => Promise.resolve().then(() => (run.runCode ?? noCode)(request, visible)),
    continueOnFail: run.continueOnFail ?? false,
    state: memory.state,
    staticData: () => run.staticData ?? {},
    appendInput: (list, input = 0) => {
      const arrived = (inputs[input] ?? []).map((item, index): Item => {
        const source = sourceOf(input);
        return { ...item, pairedItem: source ? { item: index, sourceOverwrite: source } : { item: index } };
      });
      memory.lists[list] = [...(memory.lists[list] ?? []), ...arrived];
    },
    rememberInput: (key, input = 0) => {
      memory.state[key] = { reference: key };
      memory.remembered[key] = inputs[input] ?? [];
    },
    readSlice: (key, from, to) => Promise.resolve((memory.remembered[key] ?? []).slice(from, to)),
    children: run.children ?? null,
    setCustomData: (key, value) => void (customData[key] = value),
    credentials: (type) => {
      const found = run.credentials?.[type];
      return found ? Promise.resolve(found) : Promise.reject(new Error('Credentials not found'));
    },
    signal: run.signal ?? new AbortController().signal,
    deadline: (run.now ?? 0) + 60_000,
    now: () => run.now ?? 0,
    idempotencyKey: (itemIndex) => `e1:Node:${run.runIndex ?? 0}:${itemIndex}`,
    log: (_, message) => void logs.push(message),
    memory,
    customData,
    logs,
  };
}

/** As the worker does before every run: each item is paired with its own position. */
const stamped = (items: readonly (Item | JsonObject)[], input: number): Item[] =>
  items.map((each, index) => {
    const item = isItem(each) ? each : { json: each };
    return { ...item, pairedItem: input === 0 ? { item: index } : { item: index, input } };
  });

const isItem = (value: Item | JsonObject): value is Item =>
  typeof value.json === 'object' && value.json !== null && Object.keys(value).every((key) => ['json', 'binary', 'pairedItem', 'error'].includes(key));

const jsonPath: Evaluate = (expression, itemIndex, items) => {
  const path = /^=\{\{\s*\$json\.([\w.[\]]+)\s*\}\}$/.exec(expression)?.[1];
  if (path === undefined) throw new Error(`This test gives no evaluate for ${expression}`);
  return readPath(items[itemIndex]?.json, path);
};
