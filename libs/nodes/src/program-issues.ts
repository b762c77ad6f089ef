import type { NodeDescriptions, Program } from '@app/engine';
import { missingRequired } from './parameters/resolve-properties.ts';

/**
 * What is missing on nodes that an execution from these starts can reach: asked before it begins, since a run that is
 * bound to fail half-way is worse than none. Disabled nodes and nodes outside `only` are passed over; node types that
 * are not carried fail when they are reached.
 */
export function programIssues(program: Program, starts: readonly number[], only: ReadonlySet<number> | null, nodes: NodeDescriptions): string[] {
  const reached = new Set(starts);
  const open = [...starts];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const edge of program.edges) {
      if (edge.from.node !== next || edge.kind === 'resource' || reached.has(edge.to.node) || (only && !only.has(edge.to.node))) continue;
      reached.add(edge.to.node);
      open.push(edge.to.node);
    }
  }
  return [...reached].sort((a, b) => a - b).flatMap((index) => {
    const node = program.nodes[index]!;
    const description = nodes.describe(node.type, node.version);
    if (!description || node.attributes['disabled']) return [];
    return missingRequired(description, node).map(({ message }) => `Node "${node.name}": ${message}`);
  });
}
