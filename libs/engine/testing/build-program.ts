import { DEFAULT_POLICIES, NO_RETRY, REGION_DEFAULTS, type Edge, type Group, type Program, type ProgramNode, type ProgramPolicies, type RegionSpec, type Slot } from '@app/engine';

/** How the entrance of a node is compiled: one run per arrival, one run per complete set, or one run when all edges have spoken. */
export type Entrance = 'each' | 'queues' | 'join';

export interface NodeSketch {
  readonly name: string;
  readonly entrance?: Entrance;
  readonly ports?: readonly string[];
  readonly region?: string;
  readonly regionSpec?: Omit<Partial<RegionSpec>, 'entries' | 'branches' | 'resultNode'> & { readonly driver: RegionSpec['driver']; readonly entries: readonly string[]; readonly branches?: readonly (readonly string[])[]; readonly resultNode?: string };
  /** OR between lists of edges, AND within one; default: see entrance. Edges by `source.port`. */
  readonly groups?: readonly (readonly string[])[];
  readonly overrides?: Partial<Pick<ProgramNode, 'onError' | 'retry' | 'onStarved' | 'consume'>>;
}

export interface ProgramSketch {
  readonly nodes: readonly NodeSketch[];
  /** `A.port -> B` or `A -> B` (port 0), optionally `-> B.2` for the input of a `queues` node; `~>` is a resource edge. */
  readonly edges: readonly string[];
  readonly policies?: Partial<ProgramPolicies>;
}

/** Builds a program for tests from a sketch. */
export function buildProgram(sketch: ProgramSketch): Program {
  const index = new Map(sketch.nodes.map((node, at) => [node.name, at]));
  const slots: Slot[][] = sketch.nodes.map(() => []);
  const names: string[] = [];
  const edges = sketch.edges.map((text, at): Edge => {
    const match = /^(\w+)(?:\.(\w+))?\s*(->|~>)\s*(\w+)(?:\.(\d+))?$/.exec(text.trim());
    if (!match) throw new Error(`Not an edge: ${text}`);
    const [, source, port, arrow, target, input] = match as unknown as [string, string, string | undefined, string, string, string | undefined];
    const from = index.get(source)!;
    const to = index.get(target)!;
    const ports = portsOf(sketch, source);
    names.push(`${source}.${port ?? ports[0]!}`);
    const kind = arrow === '~>' ? 'resource' : 'data';
    const slot = kind === 'resource' ? 0 : place(slots[to]!, sketch.nodes[to]!.entrance ?? 'join', at, Number(input ?? 0));
    return { index: at, from: { node: from, port: port === undefined ? 0 : ports.indexOf(port) }, to: { node: to, slot }, kind, rank: [at, 0] };
  });
  return {
    format: 1,
    name: 'sketch',
    policies: { ...DEFAULT_POLICIES, ...sketch.policies },
    attributes: {},
    edges,
    nodes: sketch.nodes.map((node, at): ProgramNode => ({
      index: at,
      id: node.name,
      name: node.name,
      region: node.region === undefined ? null : index.get(node.region)!,
      kind: node.regionSpec ? 'region' : 'op',
      type: 'test',
      version: 1,
      parameters: {},
      ports: portsOf(sketch, node.name),
      slots: slots[at]!,
      groups: groupsOf(node, slots[at]!, names),
      consume: node.overrides?.consume ?? ((node.entrance ?? 'join') === 'join' ? 'allSlots' : 'groupSlots'),
      onStarved: node.overrides?.onStarved ?? (node.entrance === 'queues' ? { kind: 'fireWithMissing', atLeast: 1, slots: [], never: false, inputs: slots[at]!.length } : { kind: 'nothing' }),
      onError: node.overrides?.onError ?? { kind: 'failRun' },
      retry: node.overrides?.retry ?? NO_RETRY,
      timeoutMs: null,
      attributes: {},
      regionSpec: node.regionSpec ? regionOf(node.regionSpec, index) : null,
    })),
  };
}

function portsOf(sketch: ProgramSketch, name: string): readonly string[] {
  return sketch.nodes.find((node) => node.name === name)?.ports ?? ['out'];
}

function place(slots: Slot[], entrance: Entrance, edge: number, input: number): number {
  if (entrance === 'each') return slots.push({ input: 0, edges: [edge], buffer: 'fifo', merge: 'anyEdge' }) - 1;
  if (entrance === 'join') return slots.push({ input: slots.length, edges: [edge], buffer: 'latch', merge: 'anyEdge' }) - 1;
  while (slots.length <= input) slots.push({ input: slots.length, edges: [], buffer: 'fifo', merge: 'anyEdge' });
  slots[input] = { ...slots[input]!, edges: [...slots[input]!.edges, edge] };
  return input;
}

function groupsOf(node: NodeSketch, slots: readonly Slot[], edgeNames: readonly string[]): Group[] {
  if (node.groups) return node.groups.map((edges) => ({ slots: edges.map((edge) => slots.findIndex((slot) => slot.edges.some((at) => edgeNames[at] === edge))), needLive: 1 }));
  if (slots.length === 0) return [];
  if (node.entrance === 'each') return slots.map((_, slot) => ({ slots: [slot], needLive: 1 }));
  return [{ slots: slots.map((_, slot) => slot), needLive: 1 }];
}

function regionOf(spec: NonNullable<NodeSketch['regionSpec']>, index: ReadonlyMap<string, number>): RegionSpec {
  const resolve = (names: readonly string[]): number[] => names.map((name) => index.get(name)!);
  return { ...REGION_DEFAULTS, ...spec, entries: resolve(spec.entries), branches: (spec.branches ?? []).map(resolve), resultNode: spec.resultNode === undefined ? null : index.get(spec.resultNode)! };
}
