import { activationId, applyTransition, done, emptySnapshot, link, step, type Effect, type Event, type ExecutionEnd, type NewActivation, type OpenActivation, type Outcome, type PortOutput, type Program, type SettledRun, type Snapshot, type Suspension } from '@app/engine';

/** An activation of a played execution. */
export interface Played extends OpenActivation {
  readonly id: string;
  readonly name: string;
  state: 'ready' | 'waiting';
  suspension: Suspension | null;
}

/**
 * Plays an execution by hand: the test settles activations in any order and asks what may run next. `label` of an
 * activation is its scope and node, for instance `B` or `1.0.2/B`.
 */
export class Play {
  snapshot: Snapshot = emptySnapshot();
  readonly history: SettledRun[] = [];
  end: ExecutionEnd | null = null;
  now = 1000;
  private readonly program;
  private readonly open = new Map<string, Played>();

  constructor(program: Program) {
    this.program = link(program);
  }

  start(...names: string[]): this {
    this.happen({ kind: 'execution-started', starts: names.map((name) => ({ node: this.nodeOf(name), input: null })) }, null);
    return this;
  }

  ready(): string[] {
    return [...this.open.values()].filter((activation) => activation.state === 'ready').map((activation) => activation.name).sort();
  }

  waiting(): string[] {
    return [...this.open.values()].filter((activation) => activation.state === 'waiting').map((activation) => activation.name).sort();
  }

  activations(): Played[] {
    return [...this.open.values()];
  }

  /** It takes these ports (default: the first one), each with one item. */
  settle(name: string, ...ports: string[]): this {
    const activation = this.find(name);
    const node = this.program.nodes[activation.node]!;
    const taken = ports.length > 0 ? ports : [node.ports[0]!];
    return this.outcome(name, done(taken.filter((port) => port !== '-').map((port): PortOutput => ({ port: node.ports.indexOf(port), count: 1 }))));
  }

  effects(name: string, ...effects: Effect[]): this {
    return this.outcome(name, done([{ port: 0, count: 1 }], effects));
  }

  outcome(name: string, outcome: Outcome): this {
    const activation = this.find(name);
    this.happen({ kind: 'activation-settled', activation, outcome }, activation);
    return this;
  }

  suspend(name: string, suspension: Partial<Suspension> = {}, effects: Effect[] = []): this {
    return this.outcome(name, { kind: 'suspended', effects, suspension: { key: name, wait: 'human', until: null, resume: 'complete', children: 0, ...suspension } });
  }

  /** A signal or a timer makes the activation ready again. */
  wake(name: string): this {
    const activation = this.find(name, 'waiting');
    this.open.set(activation.id, { ...activation, state: 'ready', resume: { cause: 'signal', payload: null }, attempt: activation.attempt + 1, wakes: activation.wakes + 1 });
    return this;
  }

  cancel(): this {
    this.happen({ kind: 'cancel-requested', cause: 'user', error: null }, null);
    return this;
  }

  /** How a node ended, by seq in the root scope. */
  runsOf(name: string): SettledRun[] {
    return this.history.filter((run) => run.node === this.nodeOf(name) && run.status !== 'skipped');
  }

  skippedNodes(): string[] {
    return this.history.filter((run) => run.status === 'skipped').map((run) => this.program.nodes[run.node]!.name);
  }

  private find(name: string, state: Played['state'] = 'ready'): Played {
    const found = [...this.open.values()].find((activation) => activation.name === name && activation.state === state);
    if (!found) throw new Error(`Nothing named ${name} is ${state}. Ready: ${this.ready().join(', ')}; waiting: ${this.waiting().join(', ')}.`);
    return found;
  }

  private nodeOf(name: string): number {
    return this.program.nodes.findIndex((node) => node.name === name);
  }

  private happen(event: Event, activation: Played | null): void {
    const result = step(this.program, this.snapshot, event, this.now);
    if (result.kind !== 'transition') throw new Error(`The step answered ${result.kind}.`);
    if (result.closed) this.open.delete(activationId('1', result.closed));
    if (result.reopened && activation) {
      const { reopened } = result;
      const reopenedActivation = { ...activation, wasSuspended: reopened.kind === 'suspended', resume: reopened.kind === 'retry' && activation.resume?.cause !== 'children' ? activation.resume : null };
      if (reopened.kind === 'retry') this.open.set(activation.id, { ...reopenedActivation, state: 'ready', attempt: activation.attempt + 1 });
      else this.open.set(activation.id, { ...reopenedActivation, state: 'waiting', suspension: reopened.suspension });
    }
    for (const created of result.created) this.add(created);
    for (const woken of result.woken) {
      const id = activationId('1', woken);
      const before = this.open.get(id)!;
      this.open.set(id, { ...before, state: 'ready', resume: woken.resume, attempt: before.attempt + 1, wakes: before.wakes + 1 });
    }
    this.history.push(...result.runs);
    this.snapshot = applyTransition(this.snapshot, result);
    if (result.end) this.end = result.end;
  }

  private add(created: NewActivation): void {
    const id = activationId('1', created);
    if (this.open.has(id)) throw new Error(`Activation ${id} was created twice.`);
    const node = this.program.nodes[created.node]!.name;
    const name = `${created.scope === '' ? '' : `${created.scope.replaceAll(/(^|\/)\d+\.(\d+)\.(\d+)/g, '$1$3')}/`}${created.phase === 'next' ? `${node}?` : node}`;
    this.open.set(id, { ...created, id, name, attempt: 1, losses: 0, wakes: 0, wasSuspended: false, resume: null, state: 'ready', suspension: null });
  }
}
