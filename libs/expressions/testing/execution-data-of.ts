import type { Item, JsonObject, Source } from '@app/engine';
import type { ExecutionData, NodeRun } from '../src/execution-data.ts';

export interface RecordedNode {
  readonly parameters?: JsonObject;
  readonly context?: JsonObject;
  readonly runs?: readonly NodeRun[];
}

/** An execution told in a few words: nodes with their runs, edges as `'A.1 -> B'` (output 0 when left out). */
export interface Recorded {
  readonly nodes?: Readonly<Record<string, RecordedNode>>;
  readonly edges?: readonly string[];
  /** The node that evaluates. */
  readonly current?: string;
  readonly parameters?: JsonObject;
  readonly inputs?: readonly (readonly Item[] | null)[];
  readonly inputSources?: readonly (Source | null)[];
  readonly items?: readonly JsonObject[];
  readonly timezone?: string;
  readonly version?: number;
  readonly workflowName?: string;
  readonly mode?: string;
  readonly runIndex?: number;
  readonly now?: number;
  readonly env?: Readonly<Record<string, string>> | null;
  readonly vars?: JsonObject;
  readonly staticData?: ExecutionData['staticData'];
}

export function executionDataOf(recorded: Recorded): ExecutionData {
  const current = recorded.current ?? 'Current';
  const nodes: Readonly<Record<string, RecordedNode>> = { [current]: {}, ...recorded.nodes };
  const edges = (recorded.edges ?? []).map(edgeOf);
  const inputs = recorded.inputs ?? [(recorded.items ?? [{}]).map((json, item) => ({ json, pairedItem: { item } }))];
  return {
    node: { id: 'node-1', name: current, type: 'test', version: recorded.version ?? 1, rawParameters: recorded.parameters ?? {} },
    workflow: { id: 'workflow-1', name: recorded.workflowName ?? 'Recorded', active: false, timezone: recorded.timezone ?? 'UTC' },
    execution: {
      id: 'execution-1',
      mode: recorded.mode ?? 'trigger',
      resumeUrl: 'http://localhost/resume',
      resumeFormUrl: 'http://localhost/form',
    },
    runIndex: recorded.runIndex ?? 0,
    inputs,
    inputSources: recorded.inputSources ?? edges.filter(({ to }) => to === current).map(({ from, output }) => sourceOf(from, output)),
    runsOf: (name) => {
      const runs = nodes[name]?.runs;
      return runs && { count: runs.length, run: (index) => runs[index] };
    },
    hasNode: (name) => Object.hasOwn(nodes, name),
    parametersOf: (name) => nodes[name]?.parameters,
    contextOf: (name) => nodes[name]?.context ?? {},
    isAncestor: (name) => distances(edges, current).has(name),
    outputTowards: (name) => distances(edges, current).get(name) ?? 0,
    vars: recorded.vars ?? {},
    env: recorded.env === undefined ? null : recorded.env,
    customData: {},
    staticData: recorded.staticData ?? { global: {}, node: {} },
    now: recorded.now ?? Date.UTC(2024, 2, 15, 10, 20, 30),
  };
}

export function sourceOf(previousNode: string, previousNodeOutput = 0, previousNodeRun = 0): Source {
  return { previousNode, previousNodeOutput, previousNodeRun };
}

/** A run with one output, each item paired with the input item of the given index. */
export function runOf(from: string | null, items: readonly Item[]): NodeRun {
  return { outputs: [items], sources: from === null ? [null] : [sourceOf(from)] };
}

export function item(json: JsonObject, pairedItem?: Item['pairedItem']): Item {
  return pairedItem === undefined ? { json } : { json, pairedItem };
}

function edgeOf(text: string): { readonly from: string; readonly output: number; readonly to: string } {
  const [left, to] = text.split(' -> ') as [string, string];
  const [from, output] = left.split('.') as [string, string?];
  return { from, output: Number(output ?? 0), to };
}

/** Ancestors of a node, with the output through which each leads to it by the shortest way. */
function distances(
  edges: readonly { readonly from: string; readonly output: number; readonly to: string }[],
  to: string,
): Map<string, number> {
  const found = new Map<string, number>();
  for (let layer = [to]; layer.length > 0;) {
    const next: string[] = [];
    for (const edge of edges) {
      if (!layer.includes(edge.to) || found.has(edge.from)) continue;
      found.set(edge.from, edge.output);
      next.push(edge.from);
    }
    layer = next;
  }
  return found;
}
