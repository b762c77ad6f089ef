import { isObject, isWhole, type Fields, type Findings } from './findings.ts';
import { checkRegion } from './regions.ts';

/** An input number sizes the list of inputs of a run. */
const MOST_INPUTS = 1_000;
const MOST_TRIES = 1_000;

export function checkNode(findings: Findings, node: unknown, index: number, nodes: readonly unknown[], edges: readonly unknown[]): void {
  const path = `$.nodes[${index}]`;
  if (!isObject(node)) return findings.error(path, 'wrong_type', 'A node is an object.', 'Compile the document again.');
  const { ports, slots, groups } = node;
  findings.require(node['index'] === index, `${path}.index`, 'wrong_index', `Node ${index} says that it is number ${String(node['index'])}.`, 'Number the nodes from 0.');
  for (const name of ['id', 'name', 'type']) findings.require(typeof node[name] === 'string', `${path}.${name}`, 'wrong_type', `The ${name} is not a text.`, 'Write a text.');
  for (const name of ['parameters', 'attributes']) findings.require(isObject(node[name]), `${path}.${name}`, 'wrong_type', `The ${name} are not an object.`, 'Write {} if there are none.');
  findings.require(Number.isFinite(node['version']), `${path}.version`, 'wrong_type', 'The version is not a number.', 'Use 1 if there is only one.');
  findings.oneOf(node['kind'], ['op', 'region'], `${path}.kind`);
  findings.oneOf(node['consume'], ['groupSlots', 'allSlots'], `${path}.consume`);
  findings.require(node['timeoutMs'] === null || isWhole(node['timeoutMs'], 1, Number.MAX_SAFE_INTEGER), `${path}.timeoutMs`, 'out_of_range', 'The time-out is neither null nor a time.', 'Use null for the default.');
  const named = Array.isArray(ports) && ports.every((port) => typeof port === 'string');
  findings.require(named, `${path}.ports`, 'wrong_type', 'The ports are not a list of names.', 'Write [] for a node without exits.');
  const exits = named ? ports.length : 0;
  checkError(findings, node['onError'], `${path}.onError`, exits);
  checkRetry(findings, node['retry'], `${path}.retry`);
  if (Array.isArray(slots)) slots.forEach((slot: unknown, at) => checkSlot(findings, slot, `${path}.slots[${at}]`, { node: index, slot: at }, edges));
  else findings.error(`${path}.slots`, 'wrong_type', 'The slots are not a list.', 'Write [] for a node that nothing leads to.');
  const places = Array.isArray(slots) ? slots.length : 0;
  if (Array.isArray(groups)) groups.forEach((group: unknown, at) => checkGroup(findings, group, `${path}.groups[${at}]`, places));
  else findings.error(`${path}.groups`, 'wrong_type', 'The groups are not a list.', 'Write [] for a node that nothing leads to.');
  checkStarved(findings, node['onStarved'], `${path}.onStarved`, places);
  checkRegion(findings, node, index, path, nodes, exits);
}

function checkSlot(findings: Findings, slot: unknown, path: string, at: { readonly node: number; readonly slot: number }, edges: readonly unknown[]): void {
  if (!isObject(slot)) return findings.error(path, 'wrong_type', 'A slot is an object.', 'Compile the document again.');
  findings.whole(slot['input'], 0, MOST_INPUTS, `${path}.input`);
  findings.oneOf(slot['buffer'], ['latch', 'fifo'], `${path}.buffer`);
  findings.oneOf(slot['merge'], ['anyEdge', 'allEdges'], `${path}.merge`);
  if (!findings.wholes(slot['edges'], edges.length - 1, `${path}.edges`)) return;
  for (const index of slot['edges']) {
    const edge = edges[index];
    const ends = isObject(edge) && isObject(edge['to']) && edge['to']['node'] === at.node && edge['to']['slot'] === at.slot && edge['kind'] !== 'resource';
    findings.require(ends, `${path}.edges`, 'foreign_edge', `Slot ${at.slot} of node ${at.node} lists edge ${index}, which does not end there.`, 'List the edge where it ends.');
  }
}

function checkGroup(findings: Findings, group: unknown, path: string, places: number): void {
  if (!isObject(group)) return findings.error(path, 'wrong_type', 'A group is an object.', 'Compile the document again.');
  if (!findings.wholes(group['slots'], places - 1, `${path}.slots`)) return;
  if (!findings.require(group['slots'].length > 0, `${path}.slots`, 'empty_group', 'A group without slots is never complete.', 'Remove it.')) return;
  findings.whole(group['needLive'], 1, group['slots'].length, `${path}.needLive`);
}

function checkStarved(findings: Findings, policy: unknown, path: string, places: number): void {
  if (!isObject(policy)) return findings.error(path, 'wrong_type', 'There is no policy for a starved node.', 'Use {"kind": "nothing"}.');
  findings.oneOf(policy['kind'], ['nothing', 'fireWithMissing', 'error'], `${path}.kind`);
  if (policy['kind'] !== 'fireWithMissing') return;
  findings.whole(policy['atLeast'], 0, MOST_INPUTS, `${path}.atLeast`);
  findings.wholes(policy['slots'], places - 1, `${path}.slots`);
  findings.oneOf(policy['never'], [true, false], `${path}.never`);
  findings.whole(policy['inputs'], 0, MOST_INPUTS, `${path}.inputs`);
}

function checkError(findings: Findings, policy: unknown, path: string, exits: number): void {
  if (!isObject(policy)) return findings.error(path, 'wrong_type', 'There is no policy for errors.', 'Use {"kind": "failRun"}.');
  findings.oneOf(policy['kind'], ['failRun', 'deadAll', 'port', 'continue'], `${path}.kind`);
  if (policy['kind'] === 'port') findings.whole(policy['port'], 0, exits - 1, `${path}.port`);
}

function checkRetry(findings: Findings, retry: unknown, path: string): void {
  if (!isObject(retry)) return findings.error(path, 'wrong_type', 'There is no retry policy.', 'Begin with NO_RETRY.');
  findings.whole(retry['tries'], 1, MOST_TRIES, `${path}.tries`);
  for (const name of ['delayMs', 'factor', 'maxDelayMs']) findings.require(isTime(retry, name), `${path}.${name}`, 'out_of_range', `The ${name} is not a number of at least 0.`, 'Use 0 for no delay and 1 for a constant one.');
  findings.oneOf(retry['retrySoftFailures'], [true, false], `${path}.retrySoftFailures`);
}

function isTime(fields: Fields, name: string): boolean {
  const value = fields[name];
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
