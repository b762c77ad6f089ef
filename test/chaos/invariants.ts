import { EXECUTIONS, LEFT_OPEN, NODE_NAMES, RUNS } from './invariant-statements.ts';
import type { WorkflowUnderTest } from './workflows.ts';
import type { Accepted } from './world/starter.ts';
import { keyOf, type EffectSink } from './world/sink.ts';

export interface Expectations {
  readonly accepted: readonly Accepted[];
  /** By workflow id. */
  readonly workflows: ReadonlyMap<string, WorkflowUnderTest>;
  /** With which status an execution must have ended: s, f or c; null when several are right. */
  readonly statusOf: (execution: { readonly id: string; readonly workflow: string }) => 's' | 'f' | 'c' | null;
  /** Calls of a key beyond one and those of lost tries: tries that were handed back had begun as well. */
  readonly spareCalls: number;
}

interface ExecutionRow {
  readonly id: string;
  readonly status: string | null;
  readonly workflow: string;
  readonly commits: number;
  readonly key: string | null;
  readonly error: string | null;
  /** The execution that it took up again: the runs of that one's settled nodes are its own as well. */
  readonly retry_of: string | null;
}

interface RunRow {
  readonly id: string;
  readonly node: number;
  readonly seq: number;
  readonly status: string;
  readonly attempt: number;
  readonly commit: number;
  readonly finished_at: number;
  readonly took_ms: number;
  readonly worker: string;
  readonly counted: number;
  readonly lost: number;
}

type Ask = <T extends object>(text: string) => Promise<T[]>;

/** Checks the promises by what the tables and the outside world say, once everything has ended. Answers with what is broken. */
export async function brokenInvariants(ask: Ask, sink: EffectSink, expected: Expectations): Promise<string[]> {
  const left = await ask<{ place: string; execution_id: string }>(LEFT_OPEN);
  const executions = await ask<ExecutionRow>(EXECUTIONS);
  const runs = Map.groupBy(await ask<RunRow>(RUNS), ({ id }) => id);
  const names = new Map((await ask<{ workflow: string; names: string[] }>(NODE_NAMES)).map((row) => [row.workflow, row.names]));
  const calls = sink.counts();
  const originOf = new Map(executions.map(({ id, retry_of }) => [id, retry_of]));
  return [
    ...left.map(({ place, execution_id }) => `I1, I5, I8: table ${place} still holds something of execution ${execution_id}.`),
    ...accepted(executions, expected),
    ...executions.flatMap((execution) => {
      const workflow = expected.workflows.get(execution.workflow);
      if (!workflow) return [`There is an execution ${execution.id} of workflow ${execution.workflow}, which nobody started.`];
      const history = new History(execution, workflow, names.get(execution.workflow)!, runs.get(execution.id) ?? []);
      return [...history.broken(), ...effects(history, sink, calls, originOf, expected.spareCalls)];
    }),
    ...strayEffects(executions, calls),
  ];
}

function accepted(executions: readonly ExecutionRow[], { accepted, statusOf }: Expectations): string[] {
  const found = new Map(executions.map((execution) => [execution.id, execution]));
  const byKey = Map.groupBy(executions.filter(({ key }) => key !== null), ({ workflow, key }) => `${workflow} ${key}`);
  const missing = accepted.filter(({ id }) => !found.has(id)).map(({ id, key }) => `I11: execution ${id} (key ${key}) was accepted and is gone.`);
  const doubled = [...byKey].filter(([, list]) => list.length > 1).map(([key, list]) => `I1: ${list.length} executions for one idempotency key ${key}.`);
  const wrong = executions.flatMap((execution) => {
    const wanted = statusOf(execution);
    if (execution.status === null) return [`I1: execution ${execution.id} has not ended.`];
    return wanted !== null && execution.status !== wanted ? [`I1: execution ${execution.id} ended with status ${execution.status} instead of ${wanted}${execution.error === null ? '' : `: ${execution.error}`}.`] : [];
  });
  return [...missing, ...doubled, ...wrong];
}

function strayEffects(executions: readonly ExecutionRow[], calls: ReadonlyMap<string, number>): string[] {
  const known = new Set(executions.map(({ id }) => id));
  return [...calls.keys()].filter((key) => !known.has(key.split('/')[0]!)).map((key) => `I4: effect ${key} belongs to no execution.`);
}

/** What one execution left behind, by the names of its nodes. */
class History {
  constructor(
    readonly execution: ExecutionRow,
    readonly workflow: WorkflowUnderTest,
    readonly names: readonly string[],
    readonly runs: readonly RunRow[],
  ) {}

  of(node: string): RunRow[] {
    const index = this.names.indexOf(node);
    return this.runs.filter((run) => run.node === index);
  }

  broken(): string[] {
    return [...this.tries(), ...this.steps(), ...this.joins(), ...this.waits()].map((sentence) => `${sentence} (execution ${this.execution.id})`);
  }

  /** I2: one result per node; as many attempts as were counted before it. */
  private tries(): string[] {
    const { status } = this.execution;
    const doubled = [...Map.groupBy(this.runs, ({ node }) => node)].filter(([, list]) => list.length > 1).map(([node, list]) => `I2: node "${this.names[node]}" has ${list.length} results instead of one`);
    const missing = status === 's' ? this.names.filter((name) => this.of(name).filter((run) => run.status === 'd').length !== 1).map((name) => `I2: node "${name}" has no result although the execution succeeded`) : [];
    // A node that parks itself is claimed once to park and once to go on.
    const parks = new Set([...this.workflow.waits.map(({ node }) => node), ...(this.workflow.calls ?? [])]);
    const wanted = (run: RunRow): number => run.counted + (parks.has(this.names[run.node]!) ? 2 : 1);
    const miscounted = this.runs.filter((run) => run.status === 'd' && run.attempt !== wanted(run)).map((run) => `I2: node "${this.names[run.node]}" settled at attempt ${run.attempt} after ${run.counted} tries that did not settle`);
    return [...doubled, ...missing, ...miscounted];
  }

  /** I12: commit numbers without gaps. The beginning is one commit; a node that parks itself takes one without a run. */
  private steps(): string[] {
    const { status, commits, retry_of } = this.execution;
    if (status !== 's') return [];
    const numbers = [...new Set(this.runs.map(({ commit }) => commit))].sort((a, b) => a - b);
    const parked = this.workflow.waits.length + (this.workflow.calls?.length ?? 0);
    const gaps = numbers.at(-1)! - numbers[0]! + 1 - numbers.length;
    // Where one execution goes on with another, the cancel or failure between them took numbers as well.
    const fits = retry_of === null ? gaps === parked : gaps >= parked;
    if (numbers.at(-1) === commits - 1 && fits && numbers.length === this.runs.length) return [];
    return [`I12: ${commits} commits with ${parked} waits do not fit the runs' commits ${numbers.join(', ')}`];
  }

  /** I3: once, and after everything it joins. */
  private joins(): string[] {
    return this.workflow.joins.flatMap(({ node, after }) => {
      const joins = this.of(node);
      if (joins.length > 1) return [`I3: join "${node}" fired ${joins.length} times`];
      const join = joins[0];
      if (!join) return this.execution.status === 's' ? [`I3: join "${node}" never fired`] : [];
      const late = after.filter((name) => !this.of(name).some((run) => run.commit < join.commit));
      return join.status === 'd' && late.length > 0 ? [`I3: join "${node}" fired before ${late.slice(0, 3).join(', ')}`] : [];
    });
  }

  /** I6: never early. */
  private waits(): string[] {
    return this.workflow.waits.flatMap(({ node, before, after, ms }) => {
      const [first] = this.of(before);
      const [next] = this.of(after);
      if (!first || !next || next.status !== 'd') return [];
      const waited = next.finished_at - next.took_ms - first.finished_at;
      // Node times are whole milliseconds measured on two workers.
      return waited < ms - 5 ? [`I6: "${node}" let its branch go on after ${waited} ms instead of ${ms}`] : [];
    });
  }
}

/** By the execution itself or by one that it took up. */
function wasCalled(id: string, node: string, calls: ReadonlyMap<string, number>, originOf: ReadonlyMap<string, string | null>): boolean {
  for (let execution: string | null | undefined = id; execution; execution = originOf.get(execution)) if ((calls.get(keyOf({ execution, node, run: 0 })) ?? 0) > 0) return true;
  return false;
}

/** I4: every settled effect was called, and never more often than once and once per lost try. */
function effects(history: History, sink: EffectSink, calls: ReadonlyMap<string, number>, originOf: ReadonlyMap<string, string | null>, spareCalls: number): string[] {
  const { execution, workflow } = history;
  const broken = workflow.effects.flatMap((node) => {
    const [run] = history.of(node);
    const count = calls.get(keyOf({ execution: execution.id, node, run: 0 })) ?? 0;
    if (!run) return execution.status === 's' ? [`I4: effect "${node}" of execution ${execution.id} has no run.`] : [];
    if (run.status === 'd' && !wasCalled(execution.id, node, calls, originOf)) return [`I4: effect "${node}" of execution ${execution.id} is settled and was never called.`];
    const most = 1 + run.lost + spareCalls;
    if (count <= most) return [];
    const times = sink.effects.filter((effect) => effect.execution === execution.id && effect.node === node).map(({ at }) => Math.round(at - run.finished_at));
    return [`I4: effect "${node}" of execution ${execution.id} was called ${count} times, ${times.join(', ')} ms from the end of its run (${run.took_ms} ms, attempt ${run.attempt}, ${run.worker}); ${run.lost} tries were lost.`];
  });
  const { joined } = workflow;
  if (!joined) return broken;
  const seen = sink.effects.filter((effect) => effect.execution === execution.id && effect.node === joined.node && effect.items !== joined.items);
  return [...broken, ...seen.map(({ items }) => `I3: "${joined.node}" of execution ${execution.id} saw ${items} items instead of ${joined.items}.`)];
}
