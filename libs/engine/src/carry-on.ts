import { ROOT, type ActivationKey, type Firing, type InputToken, type NewActivation, type OutputRef } from './activation.ts';
import type { LinkedProgram } from './linked-program.ts';
import type { Instant } from './json.ts';
import { nodeKey, type Snapshot } from './snapshot.ts';
import type { SettledRun, Transition } from './transition.ts';

type Past = ActivationKey & { readonly cause: string; readonly inputs: readonly (InputToken | null)[] };

/** An execution that has ended, as it was left. */
export interface Remains<Run extends Past & Pick<SettledRun, 'status'>> {
  readonly executionId: string;
  readonly runs: readonly Run[];
  readonly open: readonly (Past & { readonly status: string })[];
  readonly snapshot: Snapshot;
}

/** A new execution that takes up where another one ended. */
export interface CarriedOn<Run> {
  readonly snapshot: Snapshot;
  /** History that stays; what is done again is not part of it. */
  readonly runs: readonly Run[];
  decide(snapshot: Snapshot, now: Instant): Transition;
}

type Undone = Firing & { readonly seq: number };

/**
 * Takes an ended execution up again: the runs that failed or were canceled happen once more under the same run index,
 * and what was queued behind them follows. Undefined where that is not possible: inside regions, with lists that a
 * loop was collecting, or while something waited; such an execution can only be run again from its beginning.
 */
export function carryOn<Run extends Past & Pick<SettledRun, 'status'>>(program: LinkedProgram, remains: Remains<Run>): CarriedOn<Run> | undefined {
  const { runs, open, snapshot, executionId } = remains;
  const isPlain =
    snapshot.drivers.size === 0 && snapshot.lists.size === 0 && [...snapshot.scopes.keys()].every((scope) => scope === ROOT) && open.every(({ status }) => status !== 'waiting');
  if (!isPlain) return undefined;
  const again = runs.filter((run) => isUndone(program, run));
  const undone: Undone[] = [...again, ...open].map(({ scope, node, seq, inputs, cause }) => ({
    scope,
    node,
    seq,
    inputs: foreign(inputs, executionId),
    cause: cause as Firing['cause'],
  }));
  if (undone.length === 0 || undone.some(({ scope, cause }) => scope !== ROOT || cause === 'invoke' || cause === 'region')) return undefined;
  return {
    snapshot: reopened(program, snapshot, undone, executionId),
    runs: runs.filter((run) => !again.includes(run)),
    decide: (current, now) => begin(program, current, undone, now),
  };
}

function isUndone(program: LinkedProgram, run: Past & Pick<SettledRun, 'status'>): boolean {
  return run.status === 'canceled' || (run.status === 'failed' && program.nodes[run.node]?.onError.kind === 'failRun');
}

/** The scheduler's rows as they were before the end, with items read from the execution that wrote them. */
function reopened(program: LinkedProgram, snapshot: Snapshot, undone: readonly Undone[], executionId: string): Snapshot {
  const queue = (snapshot.queue ?? []).map((firing) => ({ ...firing, inputs: foreign(firing.inputs, executionId) }));
  const tokens = new Map([...snapshot.tokens].map(([key, held]) => [key, { ...held, tokens: held.tokens.map((token) => foreignToken(token, executionId)) }]));
  const root = snapshot.scopes.get(ROOT);
  const scopes = new Map(
    root && [[ROOT, { ...root, open: undone.length + queue.length, suspended: 0, cycles: countByCycle(program, [...undone, ...queue]), stopped: false, error: null }]],
  );
  return { ...snapshot, execution: { ...snapshot.execution, status: 'running', ending: null, open: 0, suspended: 0 }, scopes, tokens, queue };
}

/** Lets the undone firings begin, and as many queued ones as there are places. */
function begin(program: LinkedProgram, snapshot: Snapshot, undone: readonly Undone[], now: Instant): Transition {
  const places = (program.policies.maxConcurrency ?? Infinity) - undone.length;
  const admitted = (snapshot.queue ?? []).slice(0, Math.max(0, places));
  const fired = new Map(snapshot.fired);
  for (const { scope, node, seq } of undone) fired.set(nodeKey(scope, node), Math.max(fired.get(nodeKey(scope, node)) ?? 0, seq + 1));
  const created: NewActivation[] = undone.map((firing) => ({ ...firing, readyAt: now }));
  for (const { position: _, ...firing } of admitted) {
    const seq = fired.get(nodeKey(firing.scope, firing.node)) ?? 0;
    fired.set(nodeKey(firing.scope, firing.node), seq + 1);
    created.push({ ...firing, seq, readyAt: now });
  }
  const { execution, scopes } = snapshot;
  return {
    kind: 'transition',
    execution: { ...execution, commits: execution.commits + 1, open: created.length, queued: execution.queued - admitted.length },
    closed: null,
    reopened: null,
    runs: [],
    woken: [],
    created,
    scopes: [...scopes.values()],
    closedScopes: [],
    tokensPut: [],
    tokensTaken: [],
    queued: [],
    unqueued: admitted.map(({ position }) => position),
    drivers: [],
    closedDrivers: [],
    cells: [],
    appends: [],
    end: null,
  };
}

function countByCycle(program: LinkedProgram, firings: readonly { readonly node: number }[]): { [cycle: string]: number } {
  const counts: { [cycle: string]: number } = {};
  for (const { node } of firings) {
    const cycle = program.cycle[node] ?? -1;
    if (cycle >= 0) counts[cycle] = (counts[cycle] ?? 0) + 1;
  }
  return counts;
}

const foreign = (inputs: readonly (InputToken | null)[], executionId: string): (InputToken | null)[] => inputs.map((input) => input && foreignToken(input, executionId));

const foreignToken = <T extends InputToken>(token: T, executionId: string): T => ({ ...token, ref: token.ref && foreignRef(token.ref, executionId) });

const foreignRef = (ref: OutputRef, executionId: string): OutputRef => (ref.execution === undefined ? { ...ref, execution: executionId } : ref);
