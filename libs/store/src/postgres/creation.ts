import { applyTransition, emptySnapshot, ROOT, START_PORT, type OutputRef, type Snapshot, type Transition } from '@app/engine';
import type { ListEntry, NewExecution, ReadyActivation, RunRecord } from '../records.ts';
import type { Decide } from '../store.ts';
import { layOut } from './payload.ts';
import { payloadKey } from './payload-cache.ts';
import type { RunRow } from './statements/insert-runs.ts';
import type { StepWrites } from './step-writes.ts';

export interface Creation {
  readonly executionId: string;
  readonly request: NewExecution;
  readonly transition: Transition;
  readonly after: Snapshot;
  readonly now: number;
  readonly ready: ReadyActivation[];
}

/** A list of the execution that a new one goes on from. */
export interface InheritedList {
  readonly scope: string;
  readonly node: number;
  readonly name: string;
  readonly entries: readonly ListEntry[];
}

/** Decides how an execution begins. Throws when it cannot. */
export function decideCreation(executionId: string, request: NewExecution, decide: Decide, now: number): Creation {
  const base = request.continues?.snapshot ?? emptySnapshot();
  const transition = decide(base, now);
  if (transition.kind !== 'transition') throw new Error(`An execution cannot begin with "${transition.kind}": its program found nothing to start.`);
  return { executionId, request, transition, after: applyTransition(base, transition), now, ready: [] };
}

/** Adds a new execution to a transaction. */
export function writeCreation(writes: StepWrites, creation: Creation, lists: readonly InheritedList[] = []): void {
  const { executionId, request, after, now, ready } = creation;
  const start = layOut(request.startItems.map(({ node, items }) => ({ port: node, count: items.length, items })));
  const startItems = start.inline === null ? null : JSON.stringify(request.startItems.filter(({ items }) => items.length > 0).map(({ node, items }) => [node, items]));
  const chunks = start.chunks.map(({ port: node, ...chunk }) => ({ ...chunk, executionId, scope: ROOT, node, seq: 0, port: START_PORT }));
  const place = { queue: request.queue ?? 'default', priority: request.priority ?? 3 };
  const transition = request.continues ? whole(creation, lists) : creation.transition;
  const copied = request.continues?.runs.map((run) => copyOf(executionId, request.continues!.executionId, run)) ?? [];
  writes.begin({ executionId, request, startItems }, { executionId, transition, after, now, place, settled: null, options: null, workerNumber: null, lease: null, ready }, copied, chunks);
  for (const { port: node, text } of start.texts) writes.keep(executionId, payloadKey(executionId, ROOT, node, 0, START_PORT), text);
  const { end } = creation.transition;
  const { commits, spent, warnings } = after.execution;
  if (end) writes.end({ executionId, end, startedAt: null, commits, spent, warnings, remains: null });
}

/** For an execution that takes over another one's state, the first transition writes all of it. */
function whole({ transition, after, request }: Creation, lists: readonly InheritedList[]): Transition {
  const from = request.continues!.executionId;
  const inherited = lists.flatMap(({ scope, node, name, entries }) =>
    entries.map(({ entry, firstItem, ref, from: origin }) => ({ scope, node, name, entry, firstItem, ref: ref && belongingTo(from, ref), from: origin })),
  );
  return {
    ...transition,
    scopes: [...after.scopes.values()],
    closedScopes: [],
    tokensPut: [...after.tokens.values()].flatMap((node) => node.tokens),
    tokensTaken: [],
    queued: after.queue ?? [],
    unqueued: [],
    drivers: [...after.drivers.values()],
    closedDrivers: [],
    cells: [...request.continues!.cells, ...transition.cells],
    appends: [...inherited, ...transition.appends],
  };
}

/** References without an execution mean the one they are stored in. */
const belongingTo = (execution: string, ref: OutputRef): OutputRef => ({ execution, ...ref });

/** A run of another execution as one of this: its outputs stay where they are. */
function copyOf(executionId: string, from: string, run: RunRecord): RunRow {
  const { scope, node, seq, status, attempt, commit, cause, inputs, error, startedAt, finishedAt, logs } = run;
  const outputs = run.outputs.map(({ port, count, ref }) => ({ port, count, ref: belongingTo(from, ref ?? { scope, node, seq, port, count }) }));
  return { executionId, scope, node, seq, status, attempt, commit, cause: cause as RunRow['cause'], inputs, outputs, payload: null, error, stream: [], logs, startedAt, finishedAt, worker: null };
}
