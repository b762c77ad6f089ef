import type { Edge, Program, ProgramNode } from './program.ts';
import { WIDE_FROM, wideJoins, type WideJoin } from './wide-join.ts';

/** A program with the lookups that the scheduler needs, derived once when it is loaded. */
export interface LinkedProgram extends Program {
  /** Edges by node and port, in the order of successors (first to run first). Resource edges are left out. */
  readonly outgoing: readonly (readonly (readonly Edge[])[])[];
  /** Edges that arrive at a node. */
  readonly incoming: readonly (readonly Edge[])[];
  /** By edge: it closes a cycle. Dead tokens never cross it. */
  readonly back: readonly boolean[];
  /** By edge: the cycle it leaves, or -1. */
  readonly exits: readonly number[];
  /** By node: the cycle it is on, or -1. */
  readonly cycle: readonly number[];
  /** By node: the nodes of its region's body. */
  readonly body: ReadonlyMap<number, readonly number[]>;
  readonly wide: ReadonlyMap<number, WideJoin>;
  /** True when `ancestor` reaches `node` over one or more edges. */
  isAncestor(ancestor: number, node: number): boolean;
  nodeByName(name: string): ProgramNode | undefined;
}

/** Adds the derived lookups. The program must have passed `validate`. `wideFrom` is there for tests of small programs. */
export function link(program: Program, wideFrom = WIDE_FROM): LinkedProgram {
  const size = program.nodes.length;
  const flow = program.edges.filter((edge) => edge.kind !== 'resource');
  const outgoing: Edge[][][] = program.nodes.map((node) => node.ports.map(() => []));
  const incoming: Edge[][] = program.nodes.map(() => []);
  for (const edge of flow) {
    outgoing[edge.from.node]?.[edge.from.port]?.push(edge);
    incoming[edge.to.node]?.push(edge);
  }
  for (const ports of outgoing) for (const edges of ports) edges.sort(runsEarlier);

  const cycle = cyclesOf(size, outgoing);
  const back = backEdges(program, outgoing, cycle);
  const exits = program.edges.map((edge) => {
    const from = cycle[edge.from.node] ?? -1;
    return from >= 0 && cycle[edge.to.node] !== from ? from : -1;
  });
  const body = new Map<number, number[]>();
  for (const node of program.nodes) {
    if (node.region === null) continue;
    const list = body.get(node.region);
    if (list) list.push(node.index);
    else body.set(node.region, [node.index]);
  }
  const byName = new Map(program.nodes.map((node) => [node.name, node]));
  const ancestors = new Map<number, Set<number>>();

  return {
    ...program,
    outgoing,
    incoming,
    back,
    exits,
    cycle,
    body,
    wide: wideJoins(program, back, wideFrom),
    isAncestor: (ancestor, node) => {
      let set = ancestors.get(node);
      if (!set) {
        set = ancestorsOf(node, incoming);
        ancestors.set(node, set);
      }
      return set.has(ancestor);
    },
    nodeByName: (name) => byName.get(name),
  };
}

/** Smaller rank first; with equal ranks the later edge first, as a stack of pushed successors would have it. */
export function runsEarlier(a: Edge, b: Edge): number {
  return a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || b.index - a.index;
}

function ancestorsOf(node: number, incoming: readonly (readonly Edge[])[]): Set<number> {
  const found = new Set<number>();
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const edge of incoming[next] ?? []) {
      if (found.has(edge.from.node)) continue;
      found.add(edge.from.node);
      open.push(edge.from.node);
    }
  }
  return found;
}

/** Strongly connected components of more than one node (or with a self-loop): component number by node, else -1. Tarjan, iterative. */
function cyclesOf(size: number, outgoing: readonly (readonly (readonly Edge[])[])[]): number[] {
  const next = outgoing.map((ports) => ports.flat().map((edge) => edge.to.node));
  const order = new Array<number>(size).fill(-1);
  const low = new Array<number>(size).fill(0);
  const onStack = new Array<boolean>(size).fill(false);
  const cycle = new Array<number>(size).fill(-1);
  const stack: number[] = [];
  let counter = 0;
  let components = 0;
  for (let root = 0; root < size; root++) {
    if (order[root] !== -1) continue;
    const work: { node: number; edge: number }[] = [{ node: root, edge: 0 }];
    while (work.length > 0) {
      const frame = work[work.length - 1]!;
      const node = frame.node;
      if (frame.edge === 0) {
        order[node] = low[node] = counter++;
        stack.push(node);
        onStack[node] = true;
      }
      const targets = next[node]!;
      if (frame.edge < targets.length) {
        const target = targets[frame.edge++]!;
        if (order[target] === -1) work.push({ node: target, edge: 0 });
        else if (onStack[target]) low[node] = Math.min(low[node]!, order[target]!);
        if (frame.edge < targets.length || order[target] === -1 || work[work.length - 1] !== frame) continue;
        continue;
      }
      if (low[node] === order[node]) {
        const members: number[] = [];
        for (let member = -1; member !== node; ) {
          member = stack.pop()!;
          onStack[member] = false;
          members.push(member);
        }
        if (members.length > 1 || targets.includes(node)) {
          for (const member of members) cycle[member] = components;
          components++;
        }
      }
      work.pop();
      const parent = work[work.length - 1];
      if (parent) low[parent.node] = Math.min(low[parent.node]!, low[node]!);
    }
  }
  return cycle;
}

/** Edges inside a cycle that a depth-first walk from the entries of the program finds leading back to a node on its path. */
function backEdges(program: Program, outgoing: readonly (readonly (readonly Edge[])[])[], cycle: readonly number[]): boolean[] {
  const back = new Array<boolean>(program.edges.length).fill(false);
  const state = new Array<0 | 1 | 2>(program.nodes.length).fill(0);
  const hasIncoming = new Set(program.edges.filter((edge) => edge.kind !== 'resource').map((edge) => edge.to.node));
  const roots = [...program.nodes.map((node) => node.index)].sort((a, b) => Number(hasIncoming.has(a)) - Number(hasIncoming.has(b)) || a - b);
  for (const root of roots) {
    if (state[root] !== 0) continue;
    const work: { node: number; edges: readonly Edge[]; at: number }[] = [];
    const enter = (node: number) => {
      state[node] = 1;
      work.push({ node, edges: (outgoing[node] ?? []).flat(), at: 0 });
    };
    enter(root);
    while (work.length > 0) {
      const frame = work[work.length - 1]!;
      const edge = frame.edges[frame.at++];
      if (!edge) {
        state[frame.node] = 2;
        work.pop();
        continue;
      }
      const target = edge.to.node;
      if (state[target] === 1 && cycle[target] !== -1 && cycle[target] === cycle[frame.node]) back[edge.index] = true;
      else if (state[target] === 0) enter(target);
    }
  }
  return back;
}
