import { DEFAULT_POLICIES, NO_RETRY, REGION_DEFAULTS, type Edge, type ErrorPolicy, type Program, type ProgramNode, type ProgramPolicies, type RegionSpec, type RetryPolicy } from '@app/engine';
import { JOIN_POLICIES, entranceOf, joinName, type EntranceTable } from './arbitrary-entrance.ts';
import { Random } from './random.ts';

/**
 * What a random program may contain. `latch` and `arrivals` hold only what gives the same runs in every completion
 * order: joins of latches with well-formed loops, and one run per arrival. `wild` holds everything.
 */
export type Family = 'wild' | 'latch' | 'arrivals';

/** More nodes than this and a walk says less per second. */
const MOST_NODES = 22;

/** Policies as often as it takes for each to fire about as often: several live ones, or several sets, are rarer. */
const WEIGHED_POLICIES = JOIN_POLICIES.flatMap((policy) => new Array<typeof policy>(policy.entrance === 'each' ? 1 : policy.entrance === 'or' ? 3 : policy.needLive === 'all' ? 4 : 2).fill(policy));

type Grown = { -readonly [K in keyof ProgramNode]: ProgramNode[K] };

/** A random program; the same seed and family give the same one. It passes `validate`. */
export function arbitraryProgram(seed: number | string, family: Family): Program {
  const random = new Random(`program ${family} ${seed}`);
  const grower = new Grower(random, family);
  grower.body(null, 0);
  grower.entrances();
  return { format: 1, name: `${family} ${seed}`, nodes: grower.nodes, edges: grower.edges, policies: policiesOf(random, family), attributes: {} };
}

/** Nodes of a body that nothing leads to from before: where it begins. Tools are only ever called. */
export function entriesOf(program: Pick<Program, 'nodes' | 'edges'>, region: number | null): number[] {
  return program.nodes
    .filter((node) => node.region === region && node.attributes['role'] !== 'tool')
    .filter((node) => !program.edges.some((edge) => edge.kind !== 'resource' && edge.to.node === node.index && edge.from.node < node.index))
    .map((node) => node.index);
}

class Grower {
  readonly nodes: Grown[] = [];
  readonly edges: Edge[] = [];

  constructor(
    private readonly random: Random,
    private readonly family: Family,
  ) {}

  /** Nodes and edges of one body, the bodies of its regions included. */
  body(region: number | null, depth: number): void {
    const { random } = this;
    // Only in a chain does a failed iteration mean the same in every completion order.
    const chain = depth > 0 && random.chance(0.4);
    const sources: { node: number; ports: number[] }[] = [];
    const wanted = depth === 0 ? random.int(3, 8) : random.int(1, 4);
    for (let made = 0; made < wanted && this.nodes.length < MOST_NODES; made++) {
      const loop = this.family === 'latch' && !chain && sources.length > 0 && random.chance(0.15);
      const node = this.node(region, depth, chain);
      if (sources.length > 0 && (chain || random.chance(0.93))) this.edgesInto(node.index, chain ? [sources.at(-1)!] : sources, chain ? 1 : random.pick(this.family === 'wild' ? [1, 2, 2, 3, 3, 4] : [1, 1, 2, 2, 3]));
      if (loop) sources.push(this.loopFrom(node, region, depth));
      else sources.push({ node: node.index, ports: node.ports.map((_, port) => port) });
      if (this.family === 'wild' && made > 0 && random.chance(0.15)) this.edge(node.index, random.int(0, node.ports.length - 1), random.pick(sources).node, 'data');
    }
    for (const { node } of sources) if (this.nodes[node]!.kind === 'op' && this.nodes.length < MOST_NODES && random.chance(0.12)) this.tool(node, region, depth, chain);
  }

  /** Slots and groups, once all edges are known. */
  entrances(): void {
    for (const node of this.nodes) {
      const into = this.edges.filter((edge) => edge.to.node === node.index && edge.kind !== 'resource');
      if (into.length === 0) continue;
      const table = this.entrance(node, into);
      Object.assign(node, table);
      for (const [slot, { edges }] of table.slots.entries()) for (const edge of edges) this.edges[edge] = { ...this.edges[edge]!, to: { node: node.index, slot } };
    }
  }

  private entrance(node: Grown, into: readonly Edge[]): EntranceTable {
    const { random } = this;
    const indexes = into.map((edge) => edge.index);
    const nothing = { kind: 'nothing' } as const;
    if (this.family === 'arrivals') return entranceOf(random, indexes, { entrance: 'each', buffer: 'fifo', merge: 'anyEdge', consume: 'groupSlots', needLive: 'one', onStarved: 'nothing' })!;
    if (this.family === 'latch') {
      const slots = into.map((edge, input) => ({ input, edges: [edge.index], buffer: 'latch' as const, merge: 'anyEdge' as const }));
      const back = into.findIndex((edge) => edge.from.node >= node.index);
      const forward = slots.map((_, slot) => slot).filter((slot) => slot !== back);
      const groups = [forward, back < 0 ? [] : [back]].filter((own) => own.length > 0);
      const all = back < 0 && random.chance(0.2);
      if (back < 0 && random.chance(0.3)) return entranceOf(random, indexes, { entrance: 'and', buffer: 'latch', merge: 'allEdges', consume: 'allSlots', needLive: 'one', onStarved: 'nothing' })!;
      return { slots, groups: groups.map((own) => ({ slots: own, needLive: all ? own.length : 1 })), consume: 'allSlots', onStarved: nothing };
    }
    for (;;) {
      const policy = random.pick(WEIGHED_POLICIES);
      const table = entranceOf(random, indexes, policy);
      if (!table) continue;
      node.attributes = { ...node.attributes, join: joinName(policy) };
      return table;
    }
  }

  private node(region: number | null, depth: number, chain: boolean, mayBeRegion = true): Grown {
    const { random } = this;
    const index = this.nodes.length;
    const isRegion = mayBeRegion && depth < 2 && index < MOST_NODES - 3 && random.chance(0.22);
    const ports = isRegion ? ['done', 'error'].slice(0, random.int(1, 2)) : ['a', 'b', 'c'].slice(0, random.pick([1, 1, 2, 2, 3]));
    const node: Grown = {
      index,
      id: `n${index}`,
      name: `N${index}`,
      region,
      kind: isRegion ? 'region' : 'op',
      type: 'test',
      version: 1,
      parameters: {},
      ports,
      slots: [],
      groups: [],
      consume: 'allSlots',
      onStarved: { kind: 'nothing' },
      onError: this.onError(ports.length, chain),
      retry: random.chance(0.3) ? arbitraryRetry(random) : NO_RETRY,
      timeoutMs: null,
      attributes: {},
      regionSpec: null,
    };
    this.nodes.push(node);
    if (isRegion) {
      this.body(index, depth + 1);
      node.regionSpec = this.regionSpec(index);
    }
    return node;
  }

  private onError(ports: number, chain: boolean): ErrorPolicy {
    const { random } = this;
    const kinds = this.family === 'wild' || chain ? (['failRun', 'deadAll', 'port', 'continue'] as const) : (['deadAll', 'port', 'continue'] as const);
    const kind = random.pick(kinds);
    return kind === 'port' ? { kind, port: random.int(0, ports - 1) } : { kind };
  }

  private regionSpec(region: number): RegionSpec {
    const { random } = this;
    const body = this.nodes.filter((node) => node.region === region && node.attributes['role'] !== 'tool').map((node) => node.index);
    const entries = entriesOf(this, region);
    const driver = arbitraryDriver(random);
    const parallel = driver.kind === 'map' || driver.kind === 'select';
    const policies = this.family === 'wild' || !parallel ? (['fail', 'null', 'drop', 'collect'] as const) : (['null', 'drop', 'collect'] as const);
    return {
      ...REGION_DEFAULTS,
      driver,
      entries: driver.kind === 'select' ? [] : entries,
      branches: driver.kind === 'select' ? [entries, ...(entries.length > 1 ? entries.map((entry) => [entry]) : []), []] : [],
      maxIterations: random.chance(0.2) ? 2 : null,
      onIterationError: random.pick(policies),
      onEmpty: random.chance(0.2) ? 'error' : 'skip',
      // Passing by a suspended iteration makes any driver a parallel one.
      countSuspended: (this.family !== 'wild' && driver.kind !== 'map') || random.chance(0.7),
      resultNode: random.chance(0.5) ? random.pick(body) : null,
    };
  }

  /** `node` becomes the head of a loop: a chain behind it, whose last node either goes back or leaves. */
  private loopFrom(head: Grown, region: number | null, depth: number): { node: number; ports: number[] } {
    let last = head;
    for (let more = this.random.int(1, 2); more > 0; more--) {
      const next = this.node(region, depth, false, more > 1);
      this.edge(last.index, 0, next.index, 'data');
      last = next;
    }
    last.ports = ['exit', 'again'];
    last.attributes = { role: 'loopExit' };
    if (last.onError.kind === 'port') last.onError = { kind: 'port', port: 0 };
    this.edge(last.index, 1, head.index, 'data');
    return { node: last.index, ports: [0] };
  }

  private tool(user: number, region: number | null, depth: number, chain: boolean): void {
    const tool = this.node(region, depth, chain);
    tool.attributes = { role: 'tool' };
    this.edge(tool.index, 0, user, 'resource');
  }

  private edgesInto(target: number, sources: readonly { node: number; ports: number[] }[], count: number): void {
    const { random } = this;
    for (let made = 0; made < count; made++) {
      const source = random.pick(sources);
      this.edge(source.node, random.pick(source.ports), target, 'data');
    }
  }

  private edge(from: number, port: number, to: number, kind: Edge['kind']): void {
    const index = this.edges.length;
    this.edges.push({ index, from: { node: from, port }, to: { node: to, slot: 0 }, kind, rank: [this.random.int(0, 3), this.random.int(0, 3)] });
  }
}

function arbitraryDriver(random: Random): RegionSpec['driver'] {
  const kind = random.pick(['forEach', 'count', 'map', 'map', 'while', 'doWhile', 'select', 'call'] as const);
  return kind === 'map' ? { kind, maxConcurrency: random.int(1, 3), batch: random.chance(0.4) ? random.int(1, 2) : null } : { kind };
}

function arbitraryRetry(random: Random): RetryPolicy {
  return { tries: random.int(2, 3), delayMs: random.pick([0, 100]), factor: random.pick([1, 2]), maxDelayMs: 1000, retrySoftFailures: random.chance(0.5) };
}

function policiesOf(random: Random, family: Family): ProgramPolicies {
  const wild = family === 'wild';
  return {
    ...DEFAULT_POLICIES,
    maxConcurrency: random.pick([null, null, 1, 2, 3]),
    order: random.pick(['depthFirst', 'breadthFirst']),
    dead: family === 'latch' ? 'on' : family === 'arrivals' ? 'off' : random.pick(['on', 'on', 'off']),
    skipRule: random.chance(0.75) ? 'forwardSlots' : 'allSlots',
    emptyOutput: random.pick(['notEmitted', 'emitted', 'emittedToLaterInputs']),
    startUnrunSources: wild && random.chance(0.4),
    suspendedHoldsPlace: random.chance(0.25),
    drainAfterVoid: random.chance(0.7),
    budget: wild && random.chance(0.25) ? { runs: random.int(1, 25), onExhausted: random.pick(['stop', 'fail']) } : null,
  };
}
