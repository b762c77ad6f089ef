import { link, step, type Event, type LinkedProgram, type Outcome, type Transition } from '@app/engine';
import { arbitraryProgram, entriesOf, type Family } from '@app/engine/testing/arbitrary.ts';
import { Random } from '@app/engine/testing/random.ts';
import { completed, scriptOf, type Script } from '@app/engine/testing/scripted-outcome.ts';
import { MemoryStore, suspectAt, type ChildExecution, type ClaimedActivation, type CommitResult, type NewExecution } from '@app/store';
import { LossyQueue } from './lossy-queue.ts';
import { Broken, LEASE_MS, Oracle } from './oracle.ts';

const MAX_LOSSES = 3;
const SUSPECT_AT = suspectAt(MAX_LOSSES);
const TURNS = 250;
/** Turns without faults within which everything must have come to its end. */
const QUIET_TURNS = 6_000;

interface Definition {
  readonly program: LinkedProgram;
  readonly script: Script;
}

/** What a worker has in its hands. `outcome` is set once the node has run. */
interface Held {
  readonly activation: ClaimedActivation;
  readonly outcome: Outcome | null;
  /** A worker that was stopped goes on at this time, whatever happened meanwhile. */
  readonly frozenUntil: number;
}

/**
 * A fleet in one thread: clients, workers, a sweeper and a queue over the memory store, one event at a time, in an
 * order that the seed chooses. Nothing else is random, so a seed that fails fails again.
 */
export class Simulation {
  readonly journal: string[] = [];
  private now = 1_000;
  private readonly random: Random;
  private readonly store = new MemoryStore(() => this.now);
  private readonly queue: LossyQueue;
  readonly oracle: Oracle;
  private readonly workers: (Held | null)[];
  private readonly zombies: Held[] = [];
  private readonly definitions = new Map<string, Definition>();
  private readonly resumes = new Map<string, 'complete' | 'reenter'>();
  private readonly sentSignals: [string, string][] = [];
  private faults = true;
  private calls = 0;

  constructor(private readonly seed: number | string) {
    this.random = new Random(`simulation ${seed}`);
    this.queue = new LossyQueue(this.random, () => this.now);
    this.oracle = new Oracle(this.store, () => this.now);
    this.workers = Array.from({ length: this.random.int(1, 4) }, () => null);
  }

  async run(): Promise<void> {
    try {
      for (let count = this.random.int(1, 3); count > 0; count--) await this.start();
      for (let turn = 0; turn < TURNS && !this.oracle.allEnded(); turn++) await this.turn();
      this.faults = false;
      this.queue.reliable = true;
      for (let turn = 0; turn < QUIET_TURNS && !this.oracle.allEnded(); turn++) await this.turn();
      if (!this.oracle.allEnded()) throw new Broken(`I5: nothing more happens, and this is open:\n${await this.oracle.stuck()}`);
      for (const held of [...this.zombies, ...this.workers]) if (held) await this.commit(held);
      await this.oracle.look();
    } catch (error) {
      const message = error instanceof Broken ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
      throw new Error(`seed ${this.seed}: ${message}\nLast events:\n  ${this.journal.slice(-15).join('\n  ')}`, { cause: error });
    }
  }

  private async start(): Promise<void> {
    const versionId = `v${this.definitions.size}`;
    const timeoutMs = this.random.chance(0.1) ? this.random.int(50, 2_000) : null;
    const idempotencyKey = `start ${versionId}`;
    const { request, decide, seen } = this.request(versionId, `${this.seed} ${versionId}`, this.random.pick(['wild', 'wild', 'latch', 'arrivals'] as const), { timeoutMs, idempotencyKey });
    const created = await this.store.createExecution(request, decide);
    this.oracle.created(created.id, this.definitions.get(versionId)!.program, seen());
    this.note(`start ${created.id}`);
    if (this.chance(0.2)) {
      const again = await this.store.createExecution(request, decide);
      if (!again.existing || again.id !== created.id) throw new Broken(`I11: the same key began execution ${again.id} after ${created.id}`);
    }
    if (!this.chance(0.2)) this.queue.send(created.ready);
  }

  private request(versionId: string, seed: string, family: Family, more: Partial<NewExecution>): { request: NewExecution; decide: ChildExecution['decide']; seen: () => Transition } {
    const program = link(arbitraryProgram(seed, family));
    this.definitions.set(versionId, { program, script: scriptOf(program, family, seed, { now: () => this.now }) });
    const event: Event = { kind: 'execution-started', starts: entriesOf(program, null).map((node) => ({ node, input: null })) };
    let seen: Transition | null = null;
    const request: NewExecution = { workflowId: 'wf', versionId, mode: 'trigger', startItems: [], timeoutMs: null, options: {}, ...more };
    return {
      request,
      decide: (snapshot, now) => {
        const result = step(program, snapshot, event, now);
        if (result.kind === 'transition') seen = result;
        return result;
      },
      seen: () => seen!,
    };
  }

  private async turn(): Promise<void> {
    this.now += this.random.pick([0, 1, 1, 3, 20]);
    const worker = this.random.int(0, this.workers.length - 1);
    await this.random.pick([
      () => this.work(worker),
      () => this.work(worker),
      () => this.work(worker),
      () => this.work(worker),
      () => this.sweep(),
      () => this.sweep(),
      () => this.signal(),
      () => this.wakeZombie(),
      () => this.mischief(worker),
    ])();
    await this.oracle.look();
  }

  private async work(worker: number): Promise<void> {
    const held = this.workers[worker] ?? null;
    if (!held) return this.take(worker);
    if (this.chance(0.05)) return this.crash(worker, held.outcome ? 'before the commit' : 'before the node');
    if (!held.outcome) {
      const outcome = this.runNode(held.activation);
      if (this.chance(0.06)) return this.crash(worker, 'in the middle of the node');
      this.workers[worker] = { ...held, outcome };
      if (this.chance(0.08)) {
        // Stopped for longer than its lease; it believes that it still holds it.
        this.zombies.push({ ...this.workers[worker], frozenUntil: this.now + this.random.int(50, 500) });
        this.workers[worker] = null;
        this.note(`freeze ${held.activation.id}`);
      }
      return;
    }
    this.workers[worker] = null;
    const result = await this.commit(held);
    if (result.kind === 'fenced') return;
    if (this.chance(0.08)) return this.note('crash after the commit, nothing was announced');
    this.queue.send(result.ready);
    if (result.next) {
      this.oracle.claimed(result.next);
      this.workers[worker] = { activation: result.next, outcome: null, frozenUntil: 0 };
    }
  }

  private async take(worker: number): Promise<void> {
    const id = this.queue.take();
    if (this.chance(0.05)) return this.note('crash before the claim');
    const claimed = id === undefined ? await this.poll(worker) : await this.store.claim([id], `w${worker}`, LEASE_MS, SUSPECT_AT);
    for (const activation of claimed) {
      this.oracle.claimed(activation);
      this.note(`claim ${activation.id} try ${activation.attempt}`);
      if (this.chance(0.05)) return this.note('crash after the claim');
      this.workers[worker] = { activation, outcome: null, frozenUntil: 0 };
    }
  }

  private async poll(worker: number): Promise<ClaimedActivation[]> {
    if (this.random.chance(0.1)) return this.store.claimReady(['default'], 1, `w${worker}`, LEASE_MS, SUSPECT_AT);
    const suspect = this.random.chance(0.3) && this.workers.every((held) => held === null) ? await this.store.claimSuspect(['default'], SUSPECT_AT, `w${worker}`, LEASE_MS) : null;
    return suspect ? [suspect] : [];
  }

  private runNode(activation: ClaimedActivation): Outcome {
    this.oracle.nodeRan(activation);
    const { program, script } = this.definitions.get(activation.versionId)!;
    return activation.resume && this.resumes.get(activation.id) === 'complete' ? completed(program.nodes[activation.node]!) : script(activation);
  }

  private async commit({ activation, outcome }: Held): Promise<CommitResult> {
    const fenced: CommitResult = { kind: 'fenced', ready: [], next: null, ended: null };
    if (!outcome) return fenced;
    const { program } = this.definitions.get(activation.versionId)!;
    const children = this.childrenOf(activation, outcome);
    let transition: Transition | null = null;
    const result = await this.store.commit(
      activation,
      (snapshot, now) => {
        const decided = step(program, snapshot, { kind: 'activation-settled', activation, outcome }, now);
        if (decided.kind === 'transition') transition = decided;
        return decided;
      },
      { continueHere: this.random.chance(0.3), worker: 'w', leaseMs: LEASE_MS, startedAt: activation.claimedAt, finishedAt: this.now, children: children.map((child) => child.execution) },
    );
    this.note(`${result.kind} ${activation.id} ${outcome.kind}${result.ended ? `, ${result.ended}` : ''}`);
    if (result.kind === 'fenced') {
      this.oracle.fenced();
      return result;
    }
    this.oracle.committed(activation, outcome, transition!, result.ready);
    if (outcome.kind === 'suspended') this.resumes.set(activation.id, outcome.suspension.resume);
    for (const [index, record] of (await this.store.listChildren(activation.executionId, activation)).entries()) {
      const child = children.find(({ execution }) => execution.execution.versionId === record.versionId);
      if (child && index >= 0) this.oracle.created(record.id, this.definitions.get(record.versionId)!.program, child.seen());
    }
    return result;
  }

  /** A node that waits for children without calling any node of its own has executions run for it. */
  private childrenOf(activation: ClaimedActivation, outcome: Outcome): { execution: ChildExecution; seen: () => Transition }[] {
    if (outcome.kind !== 'suspended' || outcome.suspension.wait !== 'children' || outcome.effects.some((effect) => effect.kind === 'invoke')) return [];
    return Array.from({ length: outcome.suspension.children }, (_, index) => {
      const versionId = `c${this.calls++}`;
      const parent = { executionId: activation.executionId, activation: { scope: activation.scope, node: activation.node, seq: activation.seq }, index };
      // Calls of calls of calls would never end: a deep one calls something that is over at once.
      const { request, decide, seen } = this.request(versionId, `${this.seed} child ${this.calls % 5}`, this.calls > 6 ? 'arrivals' : 'latch', { parent });
      if (this.calls > 6) this.definitions.set(versionId, { ...this.definitions.get(versionId)!, script: () => ({ kind: 'done', outputs: [], effects: [] }) });
      return { execution: { execution: request, decide }, seen };
    });
  }

  private async sweep(): Promise<void> {
    const turn = this.random.int(0, 3);
    if (turn === 0) {
      const { ready, suspects, exhausted } = await this.store.releaseExpired(5, MAX_LOSSES, 'sweeper', LEASE_MS);
      this.oracle.lost([...ready, ...suspects, ...exhausted]);
      this.announce(ready);
      for (const activation of exhausted) {
        this.oracle.counts.givenUp += 1;
        this.oracle.held(activation);
        const outcome: Outcome = { kind: 'failed', error: { message: 'lost too often', code: 'crashed' }, final: true };
        if (this.chance(0.2)) this.note('crash before giving up');
        else this.announce((await this.commit({ activation, outcome, frozenUntil: 0 })).ready);
      }
    } else if (turn === 1) {
      const ready = await this.store.fireTimers(5);
      this.oracle.timers(ready);
      this.announce(ready);
    } else if (turn === 2) this.announce(await this.store.announceReady(10, 200, SUSPECT_AT));
    else await this.store.expireDeadlines(5);
  }

  private announce(ready: CommitResult['ready']): void {
    if (this.chance(0.1)) return this.note('crash before announcing');
    this.queue.send(ready);
  }

  /** Signals come when somebody waits, before, and once more. */
  private async signal(): Promise<void> {
    // Once nothing fails any more, whoever waits must get its signal within the turns that are left.
    const executionId = this.random.pick(this.faults ? this.oracle.ids() : this.oracle.openIds());
    const open = await this.store.listOpenActivations(executionId);
    const waiting = open.filter(({ status, suspension }) => status === 'waiting' && suspension!.wait !== 'children' && suspension!.wait !== 'time');
    let target: [string, string] | undefined;
    if (waiting.length > 0 && this.random.chance(0.7)) target = [executionId, this.random.pick(waiting).suspension!.key];
    else if (this.sentSignals.length > 0 && this.chance(0.5)) target = this.random.pick(this.sentSignals);
    else if (open.length > 0 && this.chance(0.5)) {
      const { scope, node, seq, attempt } = this.random.pick(open);
      target = [executionId, `${scope} N${node} ${seq} ${attempt + this.random.int(0, 1)}`];
    }
    if (!target) return;
    this.sentSignals.push(target);
    const { kind, ready } = await this.store.signal(...target, { approved: true });
    this.note(`signal ${target.join(' ')}: ${kind}`);
    if (kind === 'stored') this.oracle.stored(...target);
    if (kind === 'duplicate' || kind === 'ended') this.oracle.counts.lateSignals += 1;
    if (kind !== 'delivered' && ready.length > 0) throw new Broken(`a signal that was ${kind} woke ${ready[0]!.id}`);
    this.announce(ready);
  }

  private async wakeZombie(): Promise<void> {
    const at = this.zombies.findIndex((held) => held.frozenUntil <= this.now);
    if (at < 0) return;
    const [held] = this.zombies.splice(at, 1);
    this.announce((await this.commit(held!)).ready);
  }

  private async mischief(worker: number): Promise<void> {
    const held = this.workers[worker];
    if (held && this.random.chance(0.5)) {
      const { lost } = await this.store.extendLeases([held.activation], LEASE_MS);
      if (lost.length === 0) this.oracle.held(held.activation);
    } else if (held && !held.outcome && this.chance(0.3)) {
      this.workers[worker] = null;
      const ready = await this.store.release([held.activation]);
      if (ready.length > 0) this.oracle.letGo(held.activation);
      this.queue.send(ready);
    } else if (this.chance(0.04)) {
      const id = this.random.pick(this.oracle.ids());
      if ((await this.store.cancel([id], 'user', null)).executionIds.includes(id)) this.oracle.counts.cancels += 1;
      this.note(`cancel ${id}`);
    } else if (this.chance(0.05)) this.queue.flush();
  }

  private crash(worker: number, where: string): void {
    this.note(`crash ${where}: ${this.workers[worker]!.activation.id}`);
    this.workers[worker] = null;
  }

  private chance(probability: number): boolean {
    return this.faults && this.random.chance(probability);
  }

  private note(what: string): void {
    this.journal.push(`${this.now} ${what}`);
  }
}
