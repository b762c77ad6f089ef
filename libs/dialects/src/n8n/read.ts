import type { Json, JsonObject, Problem } from '@app/engine';
import type { DocumentEdge, DocumentNode, WorkflowDocument } from './document.ts';

type Report = (severity: Problem['severity'], code: string, path: string, message: string, suggestion: string) => void;

/** Reads any JSON value as an n8n workflow document. Never throws; all problems are reported at once. */
export function readDocument(value: unknown): { readonly document: WorkflowDocument; readonly problems: Problem[] } {
  const problems: Problem[] = [];
  const report: Report = (severity, code, path, message, suggestion) => problems.push({ severity, code, path, message, suggestion });
  const empty: WorkflowDocument = { name: '', nodes: [], edges: [], settings: {}, pinData: {} };
  if (!isRecord(value)) {
    report('error', 'not_a_workflow', '$', `A workflow document is an object; this is ${kindOf(value)}.`, 'Export the workflow as JSON and send that object.');
    return { document: empty, problems };
  }
  if (!Array.isArray(value['nodes'])) report('error', 'nodes_missing', '$.nodes', `"nodes" must be a list; it is ${kindOf(value['nodes'])}.`, 'Add a list "nodes" with at least one node.');
  const nodes = readNodes(Array.isArray(value['nodes']) ? value['nodes'] : [], report);
  if (Array.isArray(value['nodes']) && nodes.length === 0) report('error', 'no_nodes', '$.nodes', 'The workflow has no nodes.', 'Add a node to start with, for instance a Manual Trigger.');
  const edges = readConnections(value['connections'], nodes, report);
  return {
    document: {
      name: typeof value['name'] === 'string' ? value['name'] : '',
      nodes,
      edges,
      settings: readObject(value['settings'], '$.settings', report),
      pinData: readObject(value['pinData'], '$.pinData', report),
    },
    problems,
  };
}

function readNodes(list: readonly unknown[], report: Report): DocumentNode[] {
  const names = new Map<string, number>();
  const nodes: DocumentNode[] = [];
  list.forEach((value, at) => {
    const path = `$.nodes[${at}]`;
    if (!isRecord(value)) return report('error', 'node_not_an_object', path, `A node is an object; this is ${kindOf(value)}.`, 'Remove the entry or replace it by a node.');
    const name = value['name'];
    if (typeof name !== 'string' || name === '') return report('error', 'node_name_missing', `${path}.name`, 'A node needs a name: connections refer to it by name.', 'Give the node a unique name.');
    const before = names.get(name);
    if (before !== undefined) return report('error', 'duplicate_name', `${path}.name`, `Two nodes are named "${name}" (the other one is nodes[${before}]).`, 'Rename one of them; connections and expressions refer to nodes by name.');
    names.set(name, at);
    const type = value['type'];
    if (typeof type !== 'string' || type === '') return report('error', 'node_type_missing', `${path}.type`, `Node "${name}" has no type.`, 'Set "type", for instance "n8n-nodes-base.set".');
    nodes.push({
      id: typeof value['id'] === 'string' ? value['id'] : name,
      name,
      type,
      typeVersion: readVersion(value['typeVersion'], path, name, report),
      position: readPosition(value['position'], path, name, report),
      parameters: readObject(value['parameters'], `${path}.parameters`, report),
      disabled: value['disabled'] === true,
      executeOnce: value['executeOnce'] === true,
      alwaysOutputData: value['alwaysOutputData'] === true,
      retryOnFail: value['retryOnFail'] === true,
      maxTries: readNumber(value['maxTries']),
      waitBetweenTries: readNumber(value['waitBetweenTries']),
      onError: readOnError(value, path, name, report),
      credentials: isRecord(value['credentials']) ? (value['credentials']) : undefined,
      webhookId: typeof value['webhookId'] === 'string' ? value['webhookId'] : undefined,
      at,
    });
  });
  return nodes;
}

function readVersion(value: unknown, path: string, name: string, report: Report): number {
  if (value === undefined || value === null) return 1;
  const version = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof version === 'number' && Number.isFinite(version) && version > 0) return version;
  report('warning', 'bad_type_version', `${path}.typeVersion`, `Node "${name}" has the type version ${JSON.stringify(value)}, which is no number; 1 is assumed.`, 'Set typeVersion to a number.');
  return 1;
}

function readPosition(value: unknown, path: string, name: string, report: Report): readonly [number, number] {
  if (value === undefined || value === null) return [0, 0];
  const [x, y] = Array.isArray(value) ? value.map(Number) : isRecord(value) ? [Number(value['x']), Number(value['y'])] : [NaN, NaN];
  if (Number.isFinite(x) && Number.isFinite(y)) return [x as number, y as number];
  report('warning', 'bad_position', `${path}.position`, `Node "${name}" has no valid position; [0, 0] is assumed, which may change the order of branches.`, 'Set position to [x, y].');
  return [0, 0];
}

function readOnError(node: Record<string, unknown>, path: string, name: string, report: Report): DocumentNode['onError'] {
  const value = node['onError'];
  if (value === undefined || value === null) return node['continueOnFail'] === true ? 'continueRegularOutput' : 'stopWorkflow';
  if (value === 'stopWorkflow' || value === 'continueRegularOutput' || value === 'continueErrorOutput') return value;
  report('warning', 'bad_on_error', `${path}.onError`, `Node "${name}" has the unknown error mode ${JSON.stringify(value)}; the workflow stops on its errors.`, 'Use stopWorkflow, continueRegularOutput or continueErrorOutput.');
  return 'stopWorkflow';
}

function readConnections(value: unknown, nodes: readonly DocumentNode[], report: Report): DocumentEdge[] {
  if (value === undefined || value === null) return [];
  if (!isRecord(value)) {
    report('error', 'connections_not_an_object', '$.connections', `"connections" must be an object by source node; it is ${kindOf(value)}.`, 'Use {"Source": {"main": [[{"node": "Target", "type": "main", "index": 0}]]}}.');
    return [];
  }
  const known = new Set(nodes.map((node) => node.name));
  const edges: DocumentEdge[] = [];
  for (const [source, byType] of Object.entries(value)) {
    const path = `$.connections[${JSON.stringify(source)}]`;
    if (!known.has(source)) {
      report('warning', 'unknown_source', path, `Connections start at "${source}", but there is no such node; they are ignored.`, 'Remove them or restore the node.');
      continue;
    }
    if (!isRecord(byType)) {
      report('error', 'bad_connections', path, `The connections of "${source}" must be an object by type; they are ${kindOf(byType)}.`, 'Use {"main": [[…]]}.');
      continue;
    }
    for (const [type, outputs] of Object.entries(byType)) {
      if (outputs === null || outputs === undefined) continue;
      if (!Array.isArray(outputs)) {
        report('error', 'bad_connections', `${path}.${type}`, `Must be a list by output; it is ${kindOf(outputs)}.`, 'Use [[{"node": …}], …], one inner list for each output.');
        continue;
      }
      outputs.forEach((targets: unknown, output) => readTargets(targets, { source, output, type, path: `${path}.${type}[${output}]` }, known, edges, report));
    }
  }
  return edges;
}

function readTargets(targets: unknown, from: { source: string; output: number; type: string; path: string }, known: ReadonlySet<string>, edges: DocumentEdge[], report: Report): void {
  if (targets === null || targets === undefined) return;
  if (!Array.isArray(targets)) return report('error', 'bad_connections', from.path, `Must be a list of connections; it is ${kindOf(targets)}.`, 'Use [{"node": "Target", "type": "main", "index": 0}].');
  targets.forEach((target: unknown, index) => {
    const path = `${from.path}[${index}]`;
    if (target === null || target === undefined) return;
    if (!isRecord(target) || typeof target['node'] !== 'string') return report('error', 'bad_connection', path, `A connection names its target in "node"; this one does not.`, 'Use {"node": "Target", "type": "main", "index": 0}.');
    const input = target['index'] ?? 0;
    if (typeof input !== 'number' || !Number.isInteger(input) || input < 0 || input > MAX_INPUT) return report('error', 'bad_input_index', `${path}.index`, `The input index ${JSON.stringify(input)} is no whole number from 0 to ${MAX_INPUT}.`, 'Use the number of the input, from 0.');
    if (!known.has(target['node'])) return report('error', 'unknown_target', `${path}.node`, `"${from.source}" is connected to "${target['node']}", but there is no such node.`, 'Remove the connection or add the node.');
    edges.push({ source: from.source, output: from.output, type: from.type, target: target['node'], input, path });
  });
}

/** More inputs than any node has; keeps a forged index from allocating a million slots. */
const MAX_INPUT = 999;

function readObject(value: unknown, path: string, report: Report): JsonObject {
  if (value === undefined || value === null) return {};
  if (isRecord(value)) return value;
  report('warning', 'not_an_object', path, `Must be an object; it is ${kindOf(value)} and is ignored.`, 'Remove it or make it an object.');
  return {};
}

const readNumber = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : typeof value === 'string' && Number.isFinite(Number(value)) && value !== '' ? Number(value) : undefined);

export function isRecord(value: unknown): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
