import type { Program } from './program.ts';

/**
 * The part of a program that one execution may run: only some nodes (null: all), and nothing behind `stopAt`. Slots
 * keep their places, so that a node that waits for a cut edge waits as before.
 */
export function restrict(program: Program, only: ReadonlySet<number> | null, stopAt: number | null): Program {
  if (only === null && stopAt === null) return program;
  const edges = program.edges.map((edge) => {
    const cut = edge.from.node === stopAt || (only !== null && (!only.has(edge.from.node) || !only.has(edge.to.node)));
    return cut ? { ...edge, kind: 'resource' as const } : edge;
  });
  return { ...program, edges };
}
