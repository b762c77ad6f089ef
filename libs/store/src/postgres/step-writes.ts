import { activationId, ROOT, type ActivationKey, type Firing, type SettledRun, type Snapshot, type Transition } from '@app/engine';
import type { CommitOptions, ReadyActivation } from '../records.ts';
import { readyOf } from './activation-row.ts';
import type { Answer } from './connection.ts';
import type { HeadState } from './head-row.ts';
import { layOut, type Chunk } from './payload.ts';
import { payloadKey, type PayloadCache } from './payload-cache.ts';
import { byAddress, byExecution, type ActivationAddress } from './statements/activation-keys.ts';
import { clearEnded } from './statements/clear-ended.ts';
import type { Chain, Fence } from './statements/commit-chain.ts';
import { deleteActivations } from './statements/delete-activations.ts';
import { endExecutions, type EndRow } from './statements/end-executions.ts';
import { insertActivations, type NewActivationRow } from './statements/insert-activations.ts';
import { insertExecutions, insertHeads, type NewExecutionRow, type NewHead } from './statements/insert-executions.ts';
import { insertRuns, type RunRow } from './statements/insert-runs.ts';
import { retryActivations, suspendActivations, type RetryRow, type SuspendRow } from './statements/reopen-activations.ts';
import type { Query } from './statements/row-set.ts';
import { updateHeads } from './statements/update-heads.ts';
import { countChildren, wakeActivations, wakeBySignal, wakeParents, type ChildrenEnded, type WakeRow } from './statements/wake-activations.ts';
import { noteEndedCallers } from './statements/orphans.ts';
import * as rows from './statements/write-rows.ts';

/** The try of an activation that a step settles. */
export interface SettledTry extends ActivationKey {
  readonly attempt: number;
  readonly losses: number;
  readonly readyAt: number;
  /** The key of its row. */
  readonly row: ActivationAddress;
}

export interface DecidedStep {
  readonly executionId: string;
  readonly transition: Transition;
  readonly after: Snapshot;
  /** The store's time at which it was decided. */
  readonly now: number;
  readonly place: { readonly queue: string; readonly priority: number };
  readonly settled: SettledTry | null;
  readonly options: Pick<CommitOptions, 'startedAt' | 'finishedAt' | 'worker' | 'logs'> | null;
  readonly workerNumber: number | null;
  /** Lease under which the one created activation goes on with the committing worker. */
  readonly lease: NewActivationRow['lease'];
  /** Where to put what is to be announced. */
  readonly ready: ReadyActivation[];
}

/** A statement, and what to do with its answer once the transaction has committed. */
export interface Write {
  readonly query: Query;
  readonly heard?: (answer: Answer) => void;
}

/** Collects what the steps of one transaction write, table by table, so that each table costs one statement. */
export class StepWrites {
  private readonly heads = new Map<string, HeadState>();
  private readonly ends = new Map<string, EndRow>();
  private readonly callers: string[] = [];
  private readonly closed: ActivationAddress[] = [];
  private readonly created: NewActivationRow[] = [];
  private readonly retries: RetryRow[] = [];
  private readonly suspended: SuspendRow[] = [];
  private readonly attempts: rows.AttemptRow[] = [];
  private readonly runs: RunRow[] = [];
  private readonly chunks: (ActivationAddress & Chunk)[] = [];
  private readonly scopes = new Map<string, rows.Of<Transition['scopes'][number]>>();
  private readonly closedScopes: rows.Of<{ scope: string }>[] = [];
  private readonly tokens = new Map<string, rows.Of<Transition['tokensPut'][number]>>();
  private readonly takenTokens: rows.Of<Transition['tokensPut'][number]>[] = [];
  private readonly queued = new Map<string, rows.Of<Transition['queued'][number]>>();
  private readonly unqueued: rows.Of<{ position: number }>[] = [];
  private readonly drivers = new Map<string, rows.Of<Transition['drivers'][number]>>();
  private readonly closedDrivers: ActivationAddress[] = [];
  private readonly cells = new Map<string, rows.Of<Transition['cells'][number]>>();
  private readonly appends = new Map<string, rows.Of<Transition['appends'][number]>>();
  private readonly woken: WakeRow[] = [];
  private readonly newExecutions: NewExecutionRow[] = [];
  private readonly newHeads = new Map<string, NewHead>();
  private readonly parents = new Map<string, ChildrenEnded>();
  private readonly texts: { readonly executionId: string; readonly key: string; readonly text: string }[] = [];
  /** Which step announces an activation that becomes ready. */
  private readonly announcers = new Map<string, ReadyActivation[]>();

  step(step: DecidedStep): void {
    const { executionId, transition, ready } = step;
    const address = <T extends ActivationKey>(key: T): T & { readonly executionId: string } => ({ ...key, executionId });
    this.head(step);
    if (transition.closed) this.closed.push(rowOf(step, transition.closed));
    for (const run of transition.runs) this.run(step, run);
    this.create(step);
    this.reopen(step);
    for (const { resume, ...key } of transition.woken) {
      this.woken.push({ ...address(key), resume });
      this.announcers.set(activationId(executionId, key), ready);
    }
    this.state(executionId, transition);
  }

  /** A new execution: its facts, and its beginning as one step that writes all it consists of. */
  begin(facts: NewExecutionRow, step: DecidedStep, copied: readonly RunRow[], startChunks: readonly (ActivationAddress & Chunk)[]): void {
    const { request, executionId } = facts;
    this.newExecutions.push(facts);
    this.step(step);
    this.runs.push(...copied);
    this.chunks.push(...startChunks);
    this.newHeads.set(executionId, { ...this.heads.get(executionId)!, timeoutMs: request.timeoutMs, epoch: request.continues ? 1 : 0 });
    this.heads.delete(executionId);
  }

  /** The execution ends with a step that was added before; it may have called others and wait for them. */
  end(row: EndRow, hasSuspended = false): void {
    this.ends.set(row.executionId, row);
    if (hasSuspended) this.callers.push(row.executionId);
    this.heads.delete(row.executionId);
    this.newHeads.delete(row.executionId);
  }

  /** Items to be remembered that were written outside of any run. */
  keep(executionId: string, key: string, text: string): void {
    this.texts.push({ executionId, key, text });
  }

  /** A child that ends with this transaction counts off the activation it answers. */
  childEnded(parent: ActivationAddress, ready: ReadyActivation[]): void {
    const id = activationId(parent.executionId, parent);
    this.parents.set(id, { ...parent, ended: (this.parents.get(id)?.ended ?? 0) + 1 });
    this.announcers.set(id, ready);
  }

  private head({ executionId, after, options }: DecidedStep): void {
    const startedAt = this.heads.get(executionId)?.startedAt ?? (options && Math.round(options.startedAt));
    this.heads.set(executionId, { executionId, execution: after.execution, root: after.scopes.get(ROOT)!, startedAt });
  }

  private run({ executionId, options, now, workerNumber, settled }: DecidedStep, run: SettledRun): void {
    const { scope, node, seq, status, attempt, commit, inputs, outputs, error, stream } = run;
    const payload = layOut(outputs);
    const key = { executionId, scope, node, seq };
    const own = settled !== null && settled.node === node && settled.seq === seq && settled.scope === scope;
    this.runs.push({
      ...key,
      status,
      attempt,
      commit,
      cause: run.cause as Firing['cause'],
      inputs,
      outputs,
      payload: payload.inline,
      error,
      stream,
      logs: own ? (options?.logs ?? []) : [],
      startedAt: options?.startedAt ?? now,
      finishedAt: options?.finishedAt ?? now,
      worker: status === 'skipped' ? null : workerNumber,
    });
    for (const chunk of payload.chunks) this.chunks.push({ ...key, ...chunk });
    for (const { port, text } of payload.texts) this.texts.push({ executionId, key: payloadKey(executionId, scope, node, seq, port), text });
  }

  private create({ executionId, transition, now, place, lease, ready }: DecidedStep): void {
    for (const { readyAt, seq, ...firing } of transition.created) {
      this.created.push({ executionId, scope: firing.scope, node: firing.node, seq, firing, readyInMs: Math.max(0, readyAt - now), ...place, lease });
      if (!lease) ready.push({ id: activationId(executionId, { scope: firing.scope, node: firing.node, seq }), announcement: 1, ...place });
    }
  }

  private reopen(step: DecidedStep): void {
    const { executionId, transition, now, settled, options, ready } = step;
    const { reopened } = transition;
    if (!reopened || !settled) return;
    const key = { executionId, scope: reopened.scope, node: reopened.node, seq: reopened.seq };
    this.announcers.set(activationId(executionId, key), ready);
    if (reopened.kind === 'suspended') return void this.suspended.push({ ...rowOf(step, reopened), suspension: reopened.suspension, own: key });
    this.retries.push({ ...rowOf(step, reopened), readyInMs: Math.max(0, reopened.readyAt - now) });
    this.attempts.push({
      ...key,
      attempt: settled.attempt,
      losses: settled.losses,
      readyAt: settled.readyAt,
      startedAt: Math.round(options?.startedAt ?? now),
      endedAt: now,
      worker: options?.worker ?? '',
      outcome: reopened.outputs.length > 0 ? 'soft-failure' : 'failed',
      error: reopened.error,
    });
  }

  private state(executionId: string, transition: Transition): void {
    for (const scope of transition.scopes) if (scope.scope !== ROOT) this.scopes.set(`${executionId} ${scope.scope}`, { ...scope, executionId });
    for (const scope of transition.closedScopes) {
      this.scopes.delete(`${executionId} ${scope}`);
      this.closedScopes.push({ executionId, scope });
    }
    for (const token of transition.tokensPut) this.tokens.set(`${executionId} ${token.pos}`, { ...token, executionId });
    for (const token of transition.tokensTaken) if (!this.tokens.delete(`${executionId} ${token.pos}`)) this.takenTokens.push({ ...token, executionId });
    for (const firing of transition.queued) this.queued.set(`${executionId} ${firing.position}`, { ...firing, executionId });
    for (const position of transition.unqueued) if (!this.queued.delete(`${executionId} ${position}`)) this.unqueued.push({ executionId, position });
    for (const driver of transition.drivers) this.drivers.set(activationId(executionId, driver), { ...driver, executionId });
    for (const key of transition.closedDrivers) {
      this.drivers.delete(activationId(executionId, key));
      this.closedDrivers.push({ ...key, executionId });
    }
    for (const cell of transition.cells) this.cells.set(`${executionId} ${cell.scope} ${cell.node} ${cell.name}`, { ...cell, executionId });
    for (const entry of transition.appends) this.appends.set(`${executionId} ${entry.scope} ${entry.node} ${entry.entry} ${entry.name}`, { ...entry, executionId });
  }

  /** The whole as one statement, when it is no more than runs, successors and ends. */
  chain(fences: readonly Fence[]): Chain {
    const { created, runs, chunks } = this;
    const ordered = [...fences].sort(byExecution);
    return {
      heads: ordered.flatMap((fence) => (this.heads.has(fence.executionId) ? [{ ...this.heads.get(fence.executionId)!, ...fence }] : [])),
      ends: ordered.flatMap((fence) => (this.ends.has(fence.executionId) ? [{ ...this.ends.get(fence.executionId)!, ...fence }] : [])),
      closed: this.closed.sort(byAddress),
      created,
      runs,
      chunks,
    };
  }

  /** Everything but the fence, in the order of locks. */
  writes(): Write[] {
    const announce = (answer: Answer) => this.announce(answer);
    const ended = [...this.ends.keys()];
    const parents = [...this.parents.values()].sort(byAddress);
    const suspended = this.suspended.sort(byAddress);
    const some = <Row>(list: readonly Row[], query: (list: readonly Row[]) => Query, heard?: (answer: Answer) => void): Write[] => (list.length > 0 ? [{ query: query(list), heard }] : []);
    return [
      ...some(this.newExecutions, insertExecutions),
      ...some([...this.newHeads.values()], insertHeads),
      ...some(this.headRows(), updateHeads),
      ...some(this.closed.sort(byAddress), deleteActivations),
      ...some(this.created, insertActivations),
      ...some(this.attempts, rows.insertAttempts),
      ...some(this.retries.sort(byAddress), retryActivations, (answer) => this.announce(answer, (row) => row['due'] === true)),
      ...some(suspended, suspendActivations),
      ...some(this.runs, insertRuns),
      ...some(this.chunks, rows.insertOutputs),
      ...some([...this.scopes.values()], rows.writeScopes),
      ...some([...this.tokens.values()], rows.insertTokens),
      ...some(this.takenTokens, rows.deleteTokens),
      ...some(this.closedScopes, rows.deleteScopeTokens),
      ...some(this.closedScopes, rows.deleteScopes),
      ...some([...this.queued.values()], rows.insertQueuedFirings),
      ...some(this.unqueued, rows.deleteQueuedFirings),
      ...some([...this.drivers.values()], rows.writeDrivers),
      ...some(this.closedDrivers, rows.deleteDrivers),
      ...some([...this.cells.values()], rows.writeCells),
      ...some([...this.appends.values()], rows.insertListEntries),
      ...some(this.woken.sort(byAddress), wakeActivations, announce),
      ...some(suspended.map(({ own }) => own), wakeBySignal, announce),
      ...some([...this.ends.values()].sort(byExecution), endExecutions),
      ...some(this.callers, noteEndedCallers),
      ...(ended.length > 0 ? clearEnded(ended).map((query) => ({ query })) : []),
      ...some(parents, countChildren),
      ...some(parents, wakeParents, announce),
    ];
  }

  /** Lets this process read what it has written without asking. Only after the commit, and of executions that passed. */
  remember(cache: PayloadCache, passed?: ReadonlySet<string>): void {
    for (const { key, text, executionId } of this.texts) if (!passed || passed.has(executionId)) cache.set(key, text);
  }

  private headRows(): HeadState[] {
    return [...this.heads.values()].sort(byExecution);
  }

  private announce(answer: Answer, which: (row: Answer['rows'][number]) => boolean = () => true): void {
    for (const row of answer.rows) {
      const activation = readyOf(row);
      if (which(row)) this.announcers.get(activation.id)?.push(activation);
    }
  }
}

/** The key of the row that holds an activation. */
function rowOf({ executionId, settled }: DecidedStep, { scope, node, seq }: ActivationKey): ActivationAddress {
  const own = settled !== null && settled.node === node && settled.seq === seq && settled.scope === scope;
  return own ? { ...settled.row, executionId } : { executionId, scope, node, seq };
}
