import { activationId, isTerminal, nodeKey, type ActivationKey, type LinkedProgram, type Outcome, type Suspension, type Transition } from '@app/engine';
import { disagreements } from '@app/engine/testing/fuzz/recount.ts';
import type { ClaimedActivation, ExecutionRecord, MemoryStore, ReadyActivation } from '@app/store';

export const LEASE_MS = 100;

/** An invariant of the fleet did not hold; the letters are those of ARCHITECTURE.md. */
export class Broken extends Error {}

interface Watched {
  readonly program: LinkedProgram;
  /** Steps that the store said it committed. */
  commits: number;
  /** Runs of the latest step. */
  last: readonly string[];
  ended: ExecutionRecord | null;
}

/**
 * Sees everything that the fleet does, keeps books of its own and compares them with what the store says. Its only
 * inputs are what a worker, a client and a node would see.
 */
export class Oracle {
  private readonly executions = new Map<string, Watched>();
  /** The sink: how often the node of an activation ran, by try. */
  private readonly ran = new Map<string, number>();
  private readonly losses = new Map<string, number>();
  private readonly closed = new Set<string>();
  private readonly suspended = new Map<string, Suspension>();
  private readonly timersFired = new Set<string>();
  private readonly consumed = new Set<string>();
  private readonly early = new Set<string>();
  /** Until when somebody holds an activation, as far as workers were told. */
  private readonly leases = new Map<string, number>();
  private readonly fired = new Map<string, Map<string, number>>();
  readonly counts = { commits: 0, fenced: 0, reruns: 0, timers: 0, joins: 0, cancels: 0, givenUp: 0, lateSignals: 0, earlySignals: 0, matchedSignals: 0 };

  constructor(
    private readonly store: MemoryStore,
    private readonly now: () => number,
  ) {}

  ids(): string[] {
    return [...this.executions.keys()];
  }

  openIds(): string[] {
    return [...this.executions].flatMap(([id, watched]) => (watched.ended ? [] : [id]));
  }

  created(id: string, program: LinkedProgram, transition: Transition): void {
    this.executions.set(id, { program, commits: 1, last: [], ended: null });
    this.fired.set(id, new Map());
    this.follow(id, transition);
  }

  claimed(activation: ClaimedActivation): void {
    const { id, resume } = activation;
    const leased = this.leases.get(id) ?? 0;
    if (leased > this.now()) throw new Broken(`I2: ${id} was handed out although another worker holds it until ${leased}`);
    this.held(activation);
    if (this.closed.has(id)) throw new Broken(`I2: ${id} has a committed result and was handed out again`);
    if (activation.readyAt > this.now()) throw new Broken(`I6: ${id} was handed out ${activation.readyAt - this.now()} ms before its time`);
    const until = this.suspended.get(id)?.until ?? null;
    if (resume?.cause === 'time' && (until === null || until > this.now())) throw new Broken(`I6: the timer of ${id} fired at ${this.now()}, not at ${until}`);
  }

  /** A lease began or was extended. */
  held({ id }: ClaimedActivation): void {
    this.leases.set(id, this.now() + LEASE_MS);
  }

  letGo({ id }: ClaimedActivation): void {
    this.leases.delete(id);
  }

  nodeRan({ id, attempt, losses }: ClaimedActivation): void {
    const key = `${id} ${attempt - losses}`;
    const count = (this.ran.get(key) ?? 0) + 1;
    this.ran.set(key, count);
    if (count > 1) this.counts.reruns += 1;
    if (count > 1 + (this.losses.get(id) ?? 0)) throw new Broken(`I4: try ${attempt - losses} of ${id} ran ${count} times with ${this.losses.get(id) ?? 0} losses`);
  }

  lost(ready: readonly { readonly id: string }[]): void {
    for (const { id } of ready) this.losses.set(id, (this.losses.get(id) ?? 0) + 1);
  }

  timers(ready: readonly ReadyActivation[]): void {
    for (const { id } of ready) {
      const timer = `${id} ${this.suspended.get(id)?.key}`;
      if (this.timersFired.has(timer)) throw new Broken(`I6: the timer of ${timer} fired twice`);
      this.timersFired.add(timer);
      this.counts.timers += 1;
    }
  }

  fenced(): void {
    this.counts.fenced += 1;
  }

  /** A signal that came before anybody waited for it. */
  stored(executionId: string, key: string): void {
    this.counts.earlySignals += 1;
    this.early.add(`${executionId} ${key}`);
  }

  committed(activation: ClaimedActivation, outcome: Outcome, transition: Transition, ready: readonly ReadyActivation[]): void {
    const { id, executionId } = activation;
    this.letGo(activation);
    this.counts.commits += 1;
    this.executions.get(executionId)!.commits += 1;
    if (this.closed.has(id)) throw new Broken(`I2: ${id} was committed a second time`);
    if (transition.reopened?.kind === 'suspended' && outcome.kind === 'suspended') {
      this.suspended.set(id, outcome.suspension);
      const early = transition.reopened.suspension.wait !== 'children' && this.early.delete(`${executionId} ${outcome.suspension.key}`);
      if (early && transition.end === null && !ready.some((woken) => woken.id === id)) throw new Broken(`the signal "${outcome.suspension.key}" had come before ${id} waited for it, and did not wake it`);
      if (early) this.counts.matchedSignals += 1;
    }
    if (transition.closed) this.closed.add(activationId(executionId, transition.closed));
    this.follow(executionId, transition);
  }

  private follow(executionId: string, transition: Transition): void {
    const fired = this.fired.get(executionId)!;
    this.executions.get(executionId)!.last = transition.runs.map((run) => activationId(executionId, run));
    const count = ({ scope, node, seq }: ActivationKey): void => void fired.set(nodeKey(scope, node), Math.max(fired.get(nodeKey(scope, node)) ?? 0, seq + 1));
    for (const run of transition.runs) if (run.status === 'skipped') count(run);
    for (const activation of transition.created) {
      count(activation);
      if (activation.cause !== 'token' && activation.cause !== 'starved') continue;
      this.counts.joins += 1;
      for (const input of activation.inputs) {
        if (!input?.from) continue;
        const token = `${executionId} ${activation.scope} ${input.edge} ${input.from.scope} ${input.from.node} ${input.from.seq}`;
        if (this.consumed.has(token)) throw new Broken(`I3: what came over edge ${input.edge} made node ${activation.node} fire twice: ${token}`);
        this.consumed.add(token);
      }
    }
  }

  /** After every event: statuses only end once, step numbers have no gaps, the scheduler's counters add up. */
  async look(): Promise<void> {
    for (const [id, watched] of this.executions) {
      const record = (await this.store.findExecution(id))!;
      if (watched.ended) {
        const { status, finishedAt, cause } = watched.ended;
        if (record.status !== status || record.finishedAt !== finishedAt || record.cause !== cause) throw new Broken(`I1: execution ${id} had ended as ${status} and is ${record.status}`);
        continue;
      }
      if (record.commits !== watched.commits) throw new Broken(`I12: execution ${id} has ${record.commits} steps, ${watched.commits} were committed`);
      if (isTerminal(record.status)) await this.ended(watched, record);
      else {
        const open = await this.store.listOpenActivations(id);
        const wrong = disagreements(watched.program, (await this.store.readSnapshot(id))!, open, this.fired.get(id)!);
        if (wrong.length > 0) throw new Broken(`execution ${id}: ${wrong.join('; ')}`);
      }
    }
  }

  private async ended(watched: Watched, record: ExecutionRecord): Promise<void> {
    watched.ended = record;
    const { id } = record;
    if (record.finishedAt === null) throw new Broken(`I9: execution ${id} is ${record.status} and has no end`);
    const runs = await this.store.listRuns(id, -1, 10_000);
    if (runs.some((run) => run.commit > record.commits || (run.commit === record.commits && run.status !== 'canceled'))) throw new Broken(`I12: execution ${id} has a run of a step that was not committed`);
    for (const key of watched.last) if (!runs.some((run) => activationId(id, run) === key)) throw new Broken(`I9: execution ${id} is ${record.status} and the run of ${key}, committed with it, does not show`);
    if (record.status === 'succeeded' && (await this.store.listOpenActivations(id)).length > 0) throw new Broken(`I5: execution ${id} succeeded with activations left open`);
  }

  allEnded(): boolean {
    return [...this.executions.values()].every((watched) => watched.ended !== null);
  }

  async stuck(): Promise<string> {
    const open = [];
    for (const [id, watched] of this.executions) if (!watched.ended) open.push(`${id}: ${JSON.stringify((await this.store.listOpenActivations(id)).map(({ id: activation, status, suspension, readyAt }) => ({ activation, status, readyAt, suspension })))}`);
    return open.join('\n');
  }
}
