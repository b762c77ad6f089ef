import type { JsonObject, NodeDescription, Problem, Program, ProgramNode } from '@app/engine';
import type { CompileOptions, Start, StartRequest } from '../dialect.ts';

/** Order in which types are tried when no node starts by itself. */
const PASSIVE_STARTS = ['manualTrigger', 'start', 'executeWorkflowTrigger', 'errorTrigger', 'evaluationTrigger', 'formTrigger'];

/** Chooses where an execution begins and what it is limited to. */
export function start(program: Program, _document: JsonObject, request: StartRequest, options: CompileOptions): Start {
  const describe = (node: ProgramNode) => options.nodes.describe(node.type, node.version);
  const destination = request.destination === undefined ? null : program.nodes.find((node) => node.name === request.destination);
  if (destination === undefined) return refused('unknown_destination', `There is no node "${request.destination}" to run to.`, 'Name an existing node.');
  const reach = destination && ancestorsAndSelf(program, destination.index);
  const node = request.node === undefined ? chooseStart(program, request.mode, reach, describe) : program.nodes.find((candidate) => candidate.name === request.node);
  if (!node) {
    return request.node === undefined
      ? refused('no_start', 'The workflow has no node to start from.', 'Add a trigger, or name the start node.')
      : refused('unknown_start', `There is no node "${request.node}" to start from.`, 'Name an existing node.');
  }
  const limits = destination ? { only: [...reach!].sort((a, b) => a - b), stopAt: destination.index, destination: destination.name } : {};
  return { kind: 'start', nodes: [node.index], options: limits };
}

function refused(code: string, message: string, suggestion: string): Start {
  const problem: Problem = { severity: 'error', code, path: '$', message, suggestion };
  return { kind: 'refused', problem };
}

function chooseStart(program: Program, mode: string, reach: ReadonlySet<number> | null, describe: (node: ProgramNode) => NodeDescription | undefined): ProgramNode | undefined {
  const enabled = program.nodes.filter((node) => !node.attributes['disabled']);
  if (mode !== 'manual') {
    return enabled.find((node) => node.type.endsWith('Trigger') || node.type.endsWith('.webhook') || node.type.endsWith('.cron') || node.type.endsWith('.interval') || node.type.endsWith('.start')) ?? enabled.find((node) => describe(node)?.trigger);
  }
  const candidates = reach ? roots(program, reach) : enabled;
  if (candidates.length === 1) return candidates[0];
  const active = candidates.find((node) => describe(node)?.trigger === 'active' || isCalledTrigger(node));
  if (active) return active;
  for (const type of PASSIVE_STARTS) {
    const found = candidates.find((node) => node.type.endsWith(`.${type}`));
    if (found) return found;
  }
  // A chain of ordinary nodes has no place to begin, unless a destination says which part of it is meant.
  return reach ? candidates[0] : undefined;
}

/** Triggers that only other workflows fire still count as active when a manual run looks for its start. */
const isCalledTrigger = (node: ProgramNode): boolean => node.type.endsWith('.executeWorkflowTrigger') || node.type.endsWith('.errorTrigger');

/** The nodes of a set that nothing of the set leads to, enabled ones only. */
function roots(program: Program, reach: ReadonlySet<number>): ProgramNode[] {
  const targets = new Set(program.edges.filter((edge) => edge.kind !== 'resource' && reach.has(edge.from.node)).map((edge) => edge.to.node));
  return program.nodes.filter((node) => reach.has(node.index) && !targets.has(node.index) && !node.attributes['disabled']);
}

function ancestorsAndSelf(program: Program, node: number): Set<number> {
  const found = new Set([node]);
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const edge of program.edges) {
      if (edge.to.node !== next || edge.kind === 'resource' || found.has(edge.from.node)) continue;
      found.add(edge.from.node);
      open.push(edge.from.node);
    }
  }
  return found;
}
