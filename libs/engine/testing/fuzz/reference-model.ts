import type { Program } from '@app/engine';

/** What one run of a node does in the reference models: the ports it takes, whatever else happened. */
export type PortsOf = (node: number) => readonly number[];

/**
 * Acyclic latch graphs, said once more and in no words of the scheduler: a node runs iff any edge into it is live; an
 * edge is live iff its source runs and takes its port. Answers the live edges into each node that runs.
 */
export function latchRuns(program: Program, portsOf: PortsOf): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { index } of program.nodes) {
    const into = program.edges.filter((edge) => edge.to.node === index);
    const live = into.filter((edge) => runs.has(edge.from.node) && portsOf(edge.from.node).includes(edge.from.port));
    if (into.length === 0 || live.length > 0) runs.set(index, live.map((edge) => edge.index));
  }
  return runs;
}

/** One run per arrival: how often each node of an acyclic graph runs. */
export function arrivalRuns(program: Program, portsOf: PortsOf): Map<number, number> {
  const runs = new Map<number, number>();
  for (const { index } of program.nodes) {
    const into = program.edges.filter((edge) => edge.to.node === index);
    const arrivals = into.filter((edge) => portsOf(edge.from.node).includes(edge.from.port)).reduce((sum, edge) => sum + (runs.get(edge.from.node) ?? 0), 0);
    runs.set(index, into.length === 0 ? 1 : arrivals);
  }
  return runs;
}
