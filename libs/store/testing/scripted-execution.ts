import { arbitraryProgram, entriesOf, type Family } from '@app/engine/testing/arbitrary.ts';
import { completed, scriptOf } from '@app/engine/testing/scripted-outcome.ts';
import { isTerminal, scopeOwner, type Outcome, type Suspension } from '@app/engine';
import type { ClaimedActivation, Store } from '@app/store';
import { DrivenExecution } from './driven-execution.ts';
import type { StoreUnderTest } from './store.contract.ts';

/** Programs with cycles may go round for a long time. */
const MOST_STEPS = 120;

export interface Trace {
  readonly claims: readonly string[];
  readonly runs: readonly unknown[];
  readonly record: unknown;
  readonly snapshot: unknown;
  readonly open: readonly unknown[];
  readonly items: readonly unknown[];
}

/**
 * Runs a random program to its end through a store, everything in an order that depends on the program alone, and tells
 * what can be seen of it. `lanes` commits are handed in at a time; with more than one the store orders them. For every
 * other program two edges are a wide join.
 */
export async function traceOf(under: StoreUnderTest, seed: number, family: Family, lanes: number, mayContinue: boolean): Promise<Trace> {
  const { store } = under;
  const run = new DrivenExecution(store, arbitraryProgram(seed, family), `scripted ${family} ${seed}`, seed % 2 === 0 ? 2 : undefined);
  const script = scriptOf(run.linked, family, seed, { now: () => 0 });
  const parked = new Map<string, Suspension>();
  const claims: string[] = [];
  await run.start(entriesOf(run.program, null).map((node) => run.name({ node })));
  for (let steps = 0; !(await ended(store, run.id)); ) {
    const ready = sorted(await run.claim());
    if (ready.length === 0 && !(await wakeSome(under, run))) break;
    if (steps > MOST_STEPS) break;
    for (let at = 0; at < ready.length; at += lanes) {
      await Promise.all(ready.slice(at, at + lanes).map((activation) => settle(activation)));
    }
    steps += ready.length;
  }
  if (!(await ended(store, run.id))) await store.cancel([run.id], 'user', null);
  return seen(store, run, claims);

  async function settle(first: ClaimedActivation): Promise<void> {
    for (let current: ClaimedActivation | null = first; current; ) {
      const activation: ClaimedActivation = current;
      claims.push(`${keyOf(activation)} ${activation.attempt} ${activation.cause} ${JSON.stringify(activation.inputs)} ${activation.resume?.cause ?? ''}`);
      const done = parked.get(activation.id)?.resume === 'complete' && activation.resume !== null;
      const outcome: Outcome = done ? completed(run.program.nodes[activation.node]!) : script(activation);
      if (outcome.kind === 'suspended') parked.set(activation.id, outcome.suspension);
      current = (await run.commit(activation, outcome, { continueHere: mayContinue })).next;
    }
  }
}

/** Signals to all that wait for one, then time: a quarter of an hour is longer than any delay of these programs. */
async function wakeSome({ store, shiftClock }: StoreUnderTest, run: DrivenExecution): Promise<boolean> {
  const open = await store.listOpenActivations(run.id);
  const keys = open.flatMap(({ status, suspension }) => (status === 'waiting' && suspension && suspension.wait !== 'children' ? [suspension.key] : []));
  for (const key of keys.sort()) await store.signal(run.id, key, { key });
  const delayed = open.some(({ status, suspension }) => status === 'ready' || (status === 'waiting' && suspension?.until != null));
  if (keys.length === 0 && delayed) {
    await shiftClock(900_000);
    await store.fireTimers(1_000);
  }
  return keys.length > 0 || delayed;
}

async function ended(store: Store, id: string): Promise<boolean> {
  return isTerminal((await store.findExecution(id))!.status);
}

async function seen(store: Store, run: DrivenExecution, claims: readonly string[]): Promise<Trace> {
  // Runs of one commit have no order among themselves.
  const runs = (await store.listRuns(run.id, -1, 10_000)).sort((a, b) => a.commit - b.commit || (keyOf(a) < keyOf(b) ? -1 : 1));
  const { status, cause, error, warnings, commits } = (await store.findExecution(run.id))!;
  const snapshot = (await store.readSnapshot(run.id))!;
  const refs = runs.flatMap(({ scope, node, seq, outputs }) => outputs.map(({ port, count }) => ({ scope, node, seq, port, count })));
  const items: unknown[] = [];
  for (const ref of refs) items.push(await store.loadItems(run.id, [ref]).catch((reason: Error) => reason.constructor.name));
  const trace: Trace = {
    claims,
    runs: runs.map(({ scope, node, seq, status: ending, attempt, commit, cause: why, inputs, outputs, error: problem, attempts }) => ({ key: keyOf({ scope, node, seq }), ending, attempt, commit, why, inputs, outputs, problem, tries: (attempts ?? []).map((other) => [other.attempt, other.outcome, other.error]) })),
    record: { status, cause, error, warnings, commits },
    snapshot: {
      // Of a success the counters are of no use to anybody.
      execution: status === 'succeeded' ? null : { ...snapshot.execution, status: null },
      scopes: status === 'succeeded' ? null : sortedEntries(snapshot.scopes),
      // A region asks its condition once in each scope and leaves no run there: nobody will ask how often it did.
      fired: sortedEntries(snapshot.fired).filter(([key]) => status !== 'succeeded' && (!key.includes('.') || scopeOwner(key.slice(0, key.lastIndexOf(':'))).region !== Number(key.slice(key.lastIndexOf(':') + 1)))),
      tokens: sortedEntries(snapshot.tokens),
      waiting: sortedEntries(snapshot.waiting).filter(([, nodes]) => (nodes as readonly number[]).length > 0),
      queue: snapshot.queue,
      drivers: sortedEntries(snapshot.drivers),
    },
    open: (await store.listOpenActivations(run.id)).map((activation) => `${keyOf(activation)} ${activation.status} ${activation.attempt} ${activation.suspension?.key ?? ''}`).sort(),
    items,
  };
  // As JSON, where a member that is undefined is one that is not there.
  return JSON.parse(JSON.stringify(trace)) as Trace;
}

const keyOf = ({ scope, node, seq }: { scope: string; node: number; seq: number }): string => `${scope}/${node}.${seq}`;
const sorted = (activations: ClaimedActivation[]): ClaimedActivation[] => activations.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
const sortedEntries = (map: ReadonlyMap<string, unknown>): [string, unknown][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
