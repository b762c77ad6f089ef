import type { Problem } from './problem.ts';
import { Findings, isObject, isWhole } from './validate/findings.ts';
import { checkEdge } from './validate/edges.ts';
import { checkNode } from './validate/nodes.ts';
import { checkPolicies } from './validate/policies.ts';

/** More than any editor can show, few enough that one step stays short. */
const MOST_NODES = 10_000;
const MOST_EDGES = 100_000;

/**
 * Everything wrong with a program, whatever it is: a value read from anywhere may be given. No problem of severity
 * `error` means that `link` and `step` accept it: no event makes them throw or go on for ever.
 */
export function validate(program: unknown): Problem[] {
  const findings = new Findings();
  if (!isObject(program)) {
    findings.error('$', 'not_a_program', 'A program is an object with nodes and edges.', 'Compile a workflow document.');
    return findings.problems;
  }
  findings.require(program['format'] === 1, '$.format', 'unknown_format', 'The format of the program is not 1.', 'Compile the document again with this version.');
  findings.require(typeof program['name'] === 'string', '$.name', 'wrong_type', 'The name is not a text.', 'Give the program a name.');
  findings.require(isObject(program['attributes']), '$.attributes', 'wrong_type', 'The attributes are not an object.', 'Write {} if there are none.');
  checkPolicies(findings, program['policies']);
  const nodes = list(findings, program['nodes'], '$.nodes', MOST_NODES);
  const edges = list(findings, program['edges'], '$.edges', MOST_EDGES);
  if (!nodes || !edges) return findings.problems;
  nodes.forEach((node, index) => checkNode(findings, node, index, nodes, edges));
  edges.forEach((edge, index) => checkEdge(findings, edge, index, nodes));
  return findings.problems;
}

function list(findings: Findings, value: unknown, path: string, most: number): readonly unknown[] | undefined {
  if (!Array.isArray(value)) {
    findings.error(path, 'wrong_type', `${path.slice(2)} is not a list.`, 'Compile the document again.');
    return undefined;
  }
  if (value.length <= most && isWhole(value.length, 0, most)) return value as readonly unknown[];
  findings.error(path, 'too_many', `${value.length} ${path.slice(2)} are more than the ${most} a program may have.`, 'Split the workflow and call one part from the other.');
  return undefined;
}
