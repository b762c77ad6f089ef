import { buildProgram, type ProgramSketch } from '@app/engine/testing/build-program.ts';
import { done, failed, link, START_PORT, step, type Item, type LinkedProgram, type Outcome, type PortOutput, type Program, type Suspension } from '@app/engine';
import type { ClaimedActivation, CommitOptions, CommitResult, CreatedExecution, NewExecution, Store } from '@app/store';

export const WORKER = 'worker-1';
export const LEASE_MS = 15_000;

export const item = (json: Item['json']): Item => ({ json });

/** An execution of a sketched program whose nodes the test settles by hand, through the store. */
export class DrivenExecution {
  readonly linked: LinkedProgram;
  readonly program: Program;
  id = '';

  constructor(
    readonly store: Store,
    sketch: ProgramSketch | Program,
    readonly queue = 'default',
    /** Edges from which on a node is a wide join; small programs have none by themselves. */
    wideFrom?: number,
  ) {
    this.program = 'format' in sketch ? sketch : buildProgram(sketch);
    this.linked = link(this.program, wideFrom);
  }

  /** What an execution that begins at `names` is requested with. */
  request(more: Partial<NewExecution> = {}): NewExecution {
    return { workflowId: 'wf', versionId: 'v1', mode: 'trigger', startItems: [], timeoutMs: null, options: {}, queue: this.queue, ...more };
  }

  begin(names: readonly string[], items: readonly Item[] = []) {
    const starts = names.map((name) => ({ node: this.node(name), input: items.length > 0 ? { scope: '', node: this.node(name), seq: 0, port: START_PORT, count: items.length } : null }));
    return (snapshot: Parameters<typeof step>[1], now: number) => step(this.linked, snapshot, { kind: 'execution-started', starts }, now);
  }

  async start(names: readonly string[], more: Partial<NewExecution> = {}, items: readonly Item[] = []): Promise<CreatedExecution> {
    const startItems = items.length > 0 ? names.map((name) => ({ node: this.node(name), items })) : [];
    const created = await this.store.createExecution(this.request({ startItems, ...more }), this.begin(names, items));
    this.id = created.id;
    return created;
  }

  node(name: string): number {
    return this.program.nodes.findIndex((node) => node.name === name);
  }

  name({ node }: { readonly node: number }): string {
    return this.program.nodes[node]!.name;
  }

  /** Claims everything that is ready in this execution's queue. */
  async claim(limit = 1_000): Promise<ClaimedActivation[]> {
    return this.store.claimReady([this.queue], limit, WORKER, LEASE_MS);
  }

  async claimOne(name: string): Promise<ClaimedActivation> {
    const claimed = await this.claim();
    const found = claimed.find((activation) => this.name(activation) === name);
    const others = claimed.filter((activation) => activation !== found);
    if (others.length > 0) await this.store.release(others);
    if (!found) throw new Error(`${name} is not ready; ready: ${claimed.map((activation) => this.name(activation)).join(', ')}`);
    return found;
  }

  options(more: Partial<CommitOptions> = {}): CommitOptions {
    return { continueHere: false, worker: WORKER, leaseMs: LEASE_MS, startedAt: 1_000, finishedAt: 1_005, ...more };
  }

  commit(activation: ClaimedActivation, outcome: Outcome, more: Partial<CommitOptions> = {}): Promise<CommitResult> {
    return this.store.commit(activation, (snapshot, now) => step(this.linked, snapshot, { kind: 'activation-settled', activation, outcome }, now), this.options(more));
  }

  /** It takes its first port with these items. */
  finish(activation: ClaimedActivation, items: readonly Item[] = [item({ n: 1 })], more: Partial<CommitOptions> = {}): Promise<CommitResult> {
    return this.commit(activation, done([{ port: 0, count: items.length, items }]), more);
  }

  take(activation: ClaimedActivation, ...ports: string[]): Promise<CommitResult> {
    const { ports: all } = this.program.nodes[activation.node]!;
    return this.commit(activation, done(ports.map((port): PortOutput => ({ port: all.indexOf(port), count: 1, items: [item({ port })] }))));
  }

  fail(activation: ClaimedActivation, message = 'broken'): Promise<CommitResult> {
    return this.commit(activation, failed({ message }));
  }

  suspend(activation: ClaimedActivation, suspension: Partial<Suspension> = {}, more: Partial<CommitOptions> = {}): Promise<CommitResult> {
    return this.commit(activation, { kind: 'suspended', effects: [], suspension: { key: 'k', wait: 'human', until: null, resume: 'complete', children: 0, ...suspension } }, more);
  }

  /** Settles everything until nothing is ready; answers the names in the order of their commits. */
  async runToEnd(): Promise<string[]> {
    const names: string[] = [];
    for (let ready = await this.claim(); ready.length > 0; ready = await this.claim()) {
      for (const activation of ready) {
        names.push(this.name(activation));
        await this.finish(activation);
      }
    }
    return names;
  }

  async status(): Promise<string | undefined> {
    return (await this.store.findExecution(this.id))?.status;
  }
}

/** `n1 -> n2 -> …` */
export function chainOf(length: number): ProgramSketch {
  const names = Array.from({ length }, (_, index) => `n${index + 1}`);
  return { nodes: names.map((name) => ({ name })), edges: names.slice(1).map((name, index) => `${names[index]!} -> ${name}`) };
}

/** `a` to each of the branches, all of them to `z`. */
export function fanOf(width: number): ProgramSketch {
  const names = Array.from({ length: width }, (_, index) => `b${index}`);
  return { nodes: [{ name: 'a' }, ...names.map((name) => ({ name })), { name: 'z' }], edges: [...names.map((name) => `a -> ${name}`), ...names.map((name) => `${name} -> z`)] };
}

/** The same program with all edges into a node in one slot, which waits for all of them. */
export function inOneSlot(program: Program, name: string): Program {
  const { index, slots } = program.nodes.find((node) => node.name === name)!;
  const slot = { input: 0, edges: slots.flatMap(({ edges }) => edges), buffer: 'latch', merge: 'allEdges' } as const;
  return {
    ...program,
    nodes: program.nodes.map((node) => (node.index === index ? { ...node, slots: [slot], groups: [{ slots: [0], needLive: 1 }] } : node)),
    edges: program.edges.map((edge) => (edge.to.node === index ? { ...edge, to: { node: index, slot: 0 } } : edge)),
  };
}
