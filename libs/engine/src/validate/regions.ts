import { isObject, isWhole, type Fields, type Findings } from './findings.ts';

const DRIVERS = ['forEach', 'count', 'map', 'while', 'doWhile', 'select', 'call'];
const MOST = Number.MAX_SAFE_INTEGER;

/** Where a node stands among the regions, and what it says if it is one. */
export function checkRegion(findings: Findings, node: Fields, index: number, path: string, nodes: readonly unknown[], exits: number): void {
  const { region, regionSpec, kind } = node;
  if (region !== null && findings.whole(region, 0, nodes.length - 1, `${path}.region`)) {
    const owner = nodes[region];
    findings.require(isObject(owner) && owner['kind'] === 'region', `${path}.region`, 'not_a_region', `Node ${region}, which node ${index} is in, is not a region.`, 'Name the region node, or null for the top.');
    findings.require(!isInside(index, nodes), `${path}.region`, 'region_in_itself', `Node ${index} is inside of itself.`, 'Let the nesting of the regions end at the top.');
  }
  if (kind !== 'region') {
    findings.require(regionSpec === null, `${path}.regionSpec`, 'not_a_region', 'Only a region has a body and a driver.', 'Write null.');
    return;
  }
  if (!isObject(regionSpec)) return findings.error(`${path}.regionSpec`, 'wrong_type', 'The region says nothing of its body.', 'Give it a driver and entries.');
  checkSpec(findings, regionSpec, `${path}.regionSpec`, (body) => isObject(nodes[body]) && nodes[body]['region'] === index, nodes.length, exits);
}

function checkSpec(findings: Findings, spec: Fields, path: string, isBody: (node: number) => boolean, size: number, exits: number): void {
  const { driver } = spec;
  const kind = isObject(driver) ? driver['kind'] : undefined;
  findings.oneOf(kind, DRIVERS, `${path}.driver.kind`);
  if (isObject(driver) && kind === 'map') {
    findings.whole(driver['maxConcurrency'], 1, MOST, `${path}.driver.maxConcurrency`);
    findings.require(driver['batch'] === null || isWhole(driver['batch'], 1, MOST), `${path}.driver.batch`, 'out_of_range', 'A batch has at least one iteration.', 'Use null for no batches.');
  }
  const inBody = (value: unknown, where: string): value is readonly number[] => {
    if (!findings.wholes(value, size - 1, where)) return false;
    for (const node of value) findings.require(isBody(node), where, 'not_in_body', `Node ${node} is not in the body of the region.`, 'Begin with nodes of the body.');
    return true;
  };
  const entries = inBody(spec['entries'], `${path}.entries`) ? spec['entries'] : [];
  // An iteration without nodes ends before it begins, so a driver without an end of its own would never stop.
  if (kind !== 'select') findings.require(entries.length > 0, `${path}.entries`, 'no_entry', 'No node of the body would ever begin.', 'Name the nodes that an iteration begins with.');
  const { branches } = spec;
  if (Array.isArray(branches)) branches.forEach((branch: unknown, at) => inBody(branch, `${path}.branches[${at}]`));
  else findings.error(`${path}.branches`, 'wrong_type', 'The branches are not a list.', 'Write [] for a region that is not a selection.');
  findings.require(spec['maxIterations'] === null || isWhole(spec['maxIterations'], 0, MOST), `${path}.maxIterations`, 'out_of_range', 'The limit of iterations is neither null nor a number.', 'Use null for no limit.');
  findings.oneOf(spec['onIterationError'], ['fail', 'null', 'drop', 'collect'], `${path}.onIterationError`);
  findings.oneOf(spec['onEmpty'], ['skip', 'error'], `${path}.onEmpty`);
  findings.oneOf(spec['countSuspended'], [true, false], `${path}.countSuspended`);
  const { resultNode } = spec;
  if (resultNode !== null && findings.whole(resultNode, 0, size - 1, `${path}.resultNode`)) findings.require(isBody(resultNode), `${path}.resultNode`, 'not_in_body', `Node ${resultNode} is not in the body of the region.`, 'Name a node of the body, or null.');
  findings.whole(spec['donePort'], 0, exits - 1, `${path}.donePort`);
}

function isInside(index: number, nodes: readonly unknown[]): boolean {
  const seen = new Set<number>();
  for (let at: unknown = index; typeof at === 'number'; ) {
    if (seen.has(at)) return true;
    seen.add(at);
    const node: unknown = nodes[at];
    at = isObject(node) ? node['region'] : null;
  }
  return false;
}
