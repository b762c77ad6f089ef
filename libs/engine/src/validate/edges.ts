import { isObject, type Findings } from './findings.ts';

/** An edge leads from a port to a slot of the same body; a resource edge leads to whoever calls its source. */
export function checkEdge(findings: Findings, edge: unknown, index: number, nodes: readonly unknown[]): void {
  const path = `$.edges[${index}]`;
  if (!isObject(edge) || !isObject(edge['from']) || !isObject(edge['to'])) return findings.error(path, 'wrong_type', 'An edge is an object with two ends.', 'Compile the document again.');
  const { from, to, kind, rank } = edge;
  findings.require(edge['index'] === index, `${path}.index`, 'wrong_index', `Edge ${index} says that it is number ${String(edge['index'])}.`, 'Number the edges from 0.');
  findings.oneOf(kind, ['control', 'data', 'resource'], `${path}.kind`);
  findings.require(Array.isArray(rank) && rank.length === 2 && rank.every((number) => Number.isFinite(number)), `${path}.rank`, 'wrong_type', 'The rank is not a pair of numbers.', 'Use [0, 0] where the order does not matter.');
  if (!findings.whole(from['node'], 0, nodes.length - 1, `${path}.from.node`) || !findings.whole(to['node'], 0, nodes.length - 1, `${path}.to.node`)) return;
  const [source, target] = [nodes[from['node']], nodes[to['node']]];
  if (!isObject(source) || !isObject(target)) return;
  const { ports } = source;
  const { slots } = target;
  if (Array.isArray(ports)) findings.whole(from['port'], 0, ports.length - 1, `${path}.from.port`);
  if (kind === 'resource') {
    findings.require(target['kind'] === 'op', `${path}.to.node`, 'region_calls', `Node ${to['node']} is a region, and only an op can call another node.`, 'Connect the resource to a node inside the region.');
    return;
  }
  findings.require(source['region'] === target['region'], path, 'crosses_border', `Edge ${index} leads from node ${from['node']} to node ${to['node']}, which is in another body.`, 'Connect the region itself, or move the node into it.');
  if (!Array.isArray(slots) || !findings.whole(to['slot'], 0, slots.length - 1, `${path}.to.slot`)) return;
  const slot: unknown = slots[to['slot']];
  const listed = isObject(slot) && Array.isArray(slot['edges']) && slot['edges'].includes(index);
  findings.require(listed, `${path}.to.slot`, 'unlisted_edge', `Edge ${index} ends in slot ${to['slot']} of node ${to['node']}, which does not list it.`, 'List it there.');
}
