import { ROOT, activationId, applyTransition, emptySnapshot, isTerminal, nodeKey, scopeOwner, step, type ActivationKey, type Event, type ExecutionEnd, type LinkedProgram, type NewActivation, type OpenActivation, type Resume, type SettledRun, type Snapshot, type Suspension, type Transition } from '@app/engine';
import { entriesOf } from '../arbitrary.ts';
import type { Random } from '../random.ts';
import { completed, type Script } from '../scripted-outcome.ts';
import { needBound, stepOnDemand } from './demand-load.ts';
import { deepFreeze } from './frozen.ts';
import { observe } from './observe.ts';
import type { Coverage } from './coverage.ts';
import { disagreements } from './recount.ts';

/** An execution that goes on longer is canceled: programs with cycles may go round for a long time. */
const MOST_STEPS = 160;

interface Row extends OpenActivation {
  readonly readyAt: number;
  readonly suspension: Suspension | null;
  readonly completes: boolean;
}

export interface WalkOptions {
  /** Chooses the order of completion and nothing else. */
  readonly random: Random;
  readonly coverage?: Coverage;
  /** Every other step with everything that costs: all inputs frozen, the step taken twice, and again over snapshots loaded piece by piece. */
  readonly thorough: boolean;
  readonly cancelChance: number;
  /** Lost workers between two tries. */
  readonly losses: boolean;
}

export interface Walked {
  readonly activations: readonly NewActivation[];
  readonly runs: readonly SettledRun[];
  readonly end: ExecutionEnd;
  readonly steps: number;
}

/** A promise of the scheduler that was not kept. */
export class Violation extends Error {}

/** Runs one execution of a program to its end, in an order that `random` chooses, and checks every step of it. */
export function walk(program: LinkedProgram, scripted: (now: () => number) => Script, options: WalkOptions): Walked {
  return new Walk(program, scripted, options).run();
}

class Walk {
  private snapshot: Snapshot = emptySnapshot();
  private readonly open = new Map<string, Row>();
  private readonly created: NewActivation[] = [];
  private readonly ids = new Set<string>();
  private readonly consumed = new Set<string>();
  private readonly fired = new Map<string, number>();
  private readonly runs: SettledRun[] = [];
  private end: ExecutionEnd | null = null;
  private steps = 0;
  private now = 1000;
  private readonly script: Script;

  constructor(
    private readonly program: LinkedProgram,
    scripted: (now: () => number) => Script,
    private readonly options: WalkOptions,
  ) {
    this.script = scripted(() => this.now);
  }

  run(): Walked {
    const starts = entriesOf(this.program, null).map((node) => ({ node, input: null }));
    let last: Event = { kind: 'execution-started', starts };
    this.happen(last, null);
    while (!this.end) {
      if (this.steps >= MOST_STEPS || this.options.random.chance(this.options.cancelChance)) {
        last = { kind: 'cancel-requested', cause: 'user', error: null };
        this.happen(last, null);
        break;
      }
      const row = this.next();
      const activation = openActivation(row);
      const node = this.program.nodes[row.node]!;
      last = { kind: 'activation-settled', activation, outcome: row.completes ? completed(node) : this.script(activation) };
      this.happen(last, row);
    }
    this.checkEnd(last);
    return { activations: this.created, runs: this.runs, end: this.end!, steps: this.steps };
  }

  /** Any activation that may settle now; timers and signals wake those that wait. */
  private next(): Row {
    const { random } = this.options;
    for (;;) {
      const rows = [...this.open.values()];
      const ready = rows.filter((row) => !row.suspension && row.readyAt <= this.now);
      const wakeable = rows.filter((row) => row.suspension && !this.isCalling(row));
      if (ready.length + wakeable.length === 0) {
        const later = rows.filter((row) => !row.suspension).map((row) => row.readyAt);
        if (later.length === 0) this.violated(`nothing is open that could go on, and the execution is ${this.snapshot.execution.status}`);
        this.now = Math.min(...later);
        continue;
      }
      if (wakeable.length > 0 && (ready.length === 0 || random.chance(0.25))) {
        const row = random.pick(wakeable);
        const { wait, until, children } = row.suspension!;
        if (until !== null) this.now = Math.max(this.now, until);
        this.wake(row, { cause: wait === 'time' ? 'time' : wait === 'children' ? 'children' : 'signal', payload: { children } });
        continue;
      }
      let row = random.pick(ready);
      if (this.options.losses && random.chance(0.03)) {
        row = { ...row, attempt: row.attempt + 1, losses: row.losses + 1 };
        this.open.set(activationId('1', row), row);
      }
      this.now += 1;
      return row;
    }
  }

  /** Waits for activations of this same execution: only their end wakes it. */
  private isCalling({ scope, node, seq }: Row): boolean {
    return [...this.snapshot.drivers.values()].some((driver) => driver.invocations && driver.scope === scope && driver.node === node && driver.seq === seq);
  }

  private wake(row: Row, resume: Resume): void {
    const { suspension, ...rest } = row;
    this.open.set(activationId('1', row), { ...rest, suspension: null, resume, attempt: row.attempt + 1, wakes: row.wakes + 1, completes: suspension!.resume === 'complete' });
  }

  private happen(event: Event, row: Row | null): void {
    const thorough = this.options.thorough && this.steps % 2 === 0;
    const freeze = thorough ? deepFreeze : <T>(value: T): T => value;
    const before = freeze(this.snapshot);
    const result = step(this.program, before, freeze(event), this.now);
    this.steps += 1;
    if (result.kind !== 'transition') return this.violated(`the step answered ${result.kind} for ${event.kind}`);
    freeze(result);
    const text = thorough ? JSON.stringify(result) : '';
    if (thorough && JSON.stringify(step(this.program, before, event, this.now)) !== text) this.violated('the same step gave two different answers');
    if (thorough) this.loadOnDemand(before, event, text);

    if (result.execution.commits !== before.execution.commits + 1) this.violated(`commit ${before.execution.commits} was followed by ${result.execution.commits}`);
    this.keep(result, row);
    const after = applyTransition(before, result);
    this.snapshot = after;
    if (this.options.coverage) observe(this.options.coverage, this.program, before, event, result, after);
    if (result.end) this.end = result.end;
    if (this.end) return;
    const wrong = disagreements(this.program, after, [...this.open.values()], this.fired);
    const { maxConcurrency, suspendedHoldsPlace } = this.program.policies;
    const busy = after.execution.open + (suspendedHoldsPlace ? after.execution.suspended : 0);
    if (after.execution.queued > 0 && !after.execution.ending && (maxConcurrency === null || busy < maxConcurrency)) wrong.push(`${after.execution.queued} firings are queued although there is a place`);
    if (after.execution.ending && after.execution.open === 0) wrong.push('it is bound to end, nothing runs, and it goes on');
    if (wrong.length > 0) this.violated(`after ${describe(event)}:\n  ${wrong.join('\n  ')}`);
  }

  private loadOnDemand(before: Snapshot, event: Event, text: string): void {
    for (const cut of [{ front: Infinity, tokens: Infinity, root: false }, { front: 20, tokens: 20, root: true }]) {
      const { result, needs } = stepOnDemand(this.program, before, event, this.now, cut);
      for (const { kind } of needs) if (kind === 'tokens' || kind === 'allTokens' || kind === 'arrival') this.options.coverage?.saw(`need ${kind}`);
      if (JSON.stringify(result) !== text) this.violated(`${describe(event)} over a part of the snapshot differs:\n  whole ${text}\n  part  ${JSON.stringify(result)}`);
      if (needs.length > needBound(this.program, before)) this.violated(`a step asked for ${needs.length} rows: ${JSON.stringify(needs)}`);
    }
  }

  private keep(result: Transition, row: Row | null): void {
    if (result.closed && !this.open.delete(activationId('1', result.closed))) this.violated(`${activationId('1', result.closed)} was closed twice`);
    if (result.reopened && row) this.reopen(result.reopened, row);
    for (const run of result.runs) {
      if (run.commit !== this.snapshot.execution.commits) this.violated(`a run of commit ${this.snapshot.execution.commits} says ${run.commit}`);
      if (run.status === 'skipped') this.firstTime(run);
      this.runs.push(run);
    }
    for (const token of result.tokensTaken) {
      const by = token.live && result.tokensPut.find((put) => put.scope === token.scope && put.edge === token.edge && !put.live && this.program.nodes[put.node]!.slots[put.slot]!.buffer === 'latch');
      if (by && !result.created.some((activation) => activation.node === token.node) && !result.queued.some((queued) => queued.node === token.node) && !result.runs.some((run) => run.node === token.node)) this.violated(`a dead token took the place of a live one on edge ${token.edge} (D5)`);
    }
    for (const activation of result.created) {
      this.firstTime(activation);
      this.inItsBody(activation);
      this.consumedOnce(activation);
      this.created.push(activation);
      this.open.set(activationId('1', activation), { ...activation, attempt: 1, losses: 0, wakes: 0, wasSuspended: false, resume: null, suspension: null, completes: false });
    }
    for (const woken of result.woken) {
      const waiting = this.open.get(activationId('1', woken));
      if (!waiting?.suspension) return this.violated(`${activationId('1', woken)} was woken and did not wait`);
      this.wake(waiting, woken.resume);
    }
  }

  private reopen(reopened: NonNullable<Transition['reopened']>, row: Row): void {
    const id = activationId('1', row);
    if (reopened.kind === 'retry') this.open.set(id, { ...row, wasSuspended: false, attempt: row.attempt + 1, readyAt: reopened.readyAt, completes: false });
    else this.open.set(id, { ...row, wasSuspended: true, resume: null, suspension: reopened.suspension, completes: false });
  }

  private firstTime(key: ActivationKey): void {
    const id = activationId('1', key);
    if (this.ids.has(id)) this.violated(`activation ${id} was created twice`);
    this.ids.add(id);
    const at = nodeKey(key.scope, key.node);
    this.fired.set(at, Math.max(this.fired.get(at) ?? 0, key.seq + 1));
  }

  /** An iteration runs nodes of its body, and its region's condition. Where an activation called a node anything may be. */
  private inItsBody({ scope, node, phase }: NewActivation): void {
    const owner = scope === ROOT ? null : this.program.nodes[scopeOwner(scope).region]!;
    if (owner?.kind === 'op') return;
    const belongs = phase === 'next' ? node === owner?.index : this.program.nodes[node]!.region === (owner?.index ?? null);
    if (!belongs) this.violated(`node ${node} fired in scope "${scope}", which is not a scope of its body`);
  }

  /** What one run sent over one edge makes one firing, never two. */
  private consumedOnce({ scope, node, inputs, cause, seq }: NewActivation): void {
    if (cause !== 'token' && cause !== 'starved') return;
    for (const input of inputs) {
      if (!input?.from) continue;
      const token = `${scope} ${input.edge} ${input.from.scope} ${input.from.node} ${input.from.seq}`;
      if (this.consumed.has(token)) this.violated(`the token ${token} was used again by node ${node}, seq ${seq}`);
      this.consumed.add(token);
    }
  }

  private checkEnd(last: Event): void {
    const { snapshot, end } = this;
    if (!end) return this.violated('it never ended');
    if (!isTerminal(snapshot.execution.status) || snapshot.execution.status !== end.status) this.violated(`it ended as ${end.status} with status ${snapshot.execution.status}`);
    for (const event of [last, { kind: 'cancel-requested', cause: 'user', error: null } as const]) if (step(this.program, snapshot, event, this.now).kind !== 'unchanged') this.violated('an ended execution changed');
    const settled = new Set<string>();
    for (const run of this.runs) {
      const id = activationId('1', run);
      if (settled.has(id)) this.violated(`${id} has two results`);
      settled.add(id);
    }
    if (end.status !== 'succeeded' || end.cause !== null || snapshot.execution.ending) return;
    const { open, suspended, queued } = snapshot.execution;
    if (open + suspended + queued > 0 || this.open.size > 0 || snapshot.drivers.size > 0) this.violated(`it succeeded with ${open} open, ${suspended} suspended, ${queued} queued, ${snapshot.drivers.size} regions`);
    if (snapshot.scopes.size > 1) this.violated(`scopes are left open: ${[...snapshot.scopes.keys()].join(', ')}`);
    for (const { scope, node, seq, phase } of this.created) if (phase !== 'next' && !settled.has(activationId('1', { scope, node, seq }))) this.violated(`${activationId('1', { scope, node, seq })} has no result`);
  }

  private violated(what: string): never {
    throw new Violation(`step ${this.steps}: ${what}`);
  }
}

function openActivation(row: Row): OpenActivation {
  const { readyAt: _, suspension: __, completes: ___, ...activation } = row;
  return activation;
}

function describe(event: Event): string {
  return event.kind === 'activation-settled' ? `${activationId('1', event.activation)}${event.activation.phase ? ` (${event.activation.phase})` : ''} ${JSON.stringify(event.outcome)}` : event.kind;
}
