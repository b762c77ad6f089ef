import { childScope, parentScope, scopeOwner, type Firing, type OpenActivation, type OutputRef, type ScopePath } from './activation.ts';
import { schedule } from './admit.ts';
import type { Draft } from './draft.ts';
import type { ErrorShape } from './item.ts';
import type { Effect, PortOutput } from './outcome.ts';
import type { ProgramNode, RegionSpec } from './program.ts';
import { advance, setStatus } from './quiet.ts';
import { fail, record, succeed } from './settle.ts';
import type { DriverState } from './snapshot.ts';

/** List in which a firing of a region keeps the results of its iterations, by index. */
export const resultsList = (seq: number): string => `results.${seq}`;

/** The region's input is known: its driver opens the first scopes. The region stays counted as one open piece of work. */
export function enterRegion(draft: Draft, node: ProgramNode, activation: OpenActivation, effects: readonly Effect[]): void {
  const spec = node.regionSpec!;
  const enter = effects.find((effect) => effect.kind === 'enter');
  const { scope, seq, inputs, cause, attempt } = activation;
  const driver: DriverState = {
    scope,
    node: node.index,
    seq,
    total: totalOf(spec, enter),
    next: 0,
    running: [],
    finished: 0,
    broken: false,
    branches: spec.driver.kind === 'select' ? (enter?.branches ?? []) : null,
    error: driverError(spec, enter, node),
    inputs,
    cause,
    attempt,
    invocations: false,
  };
  drive(draft, driver);
}

/** `while` and `doWhile` asked whether to go on. */
export function conditionAnswered(draft: Draft, activation: OpenActivation, effects: readonly Effect[]): void {
  const { scope } = activation;
  const answer = effects.find((effect) => effect.kind === 'continue')?.again ?? false;
  const driver = driverOf(draft, scope);
  draft.count(scope, activation.node, -1, 'open');
  const { driver: kind, entries } = draft.program.nodes[driver.node]!.regionSpec!;
  const broken = driver.broken || !answer;
  if (kind.kind === 'while' && answer && !draft.scope(scope).stopped) {
    schedule(draft, entries.map((entry) => entryFiring(driver, scope, entry)));
    return advance(draft, scope);
  }
  if (kind.kind === 'while') return closeIteration(draft, scope, { ...driver, broken: true }, false);
  closeIteration(draft, scope, { ...driver, broken }, true);
}

/** Without an answer nobody knows whether to go on: the region itself fails, in the scope that it stands in. */
export function conditionFailed(draft: Draft, node: ProgramNode, activation: OpenActivation, error: ErrorShape): void {
  const { scope } = activation;
  const located = { ...error, node: error.node ?? node.name };
  const driver = driverOf(draft, scope);
  draft.count(scope, activation.node, -1, 'open');
  record(draft, activation, 'failed', [], located, []);
  closeIteration(draft, scope, { ...driver, error: driver.error ?? located }, false);
}

/** A scope is quiet: its iteration is over, unless a condition is still to be asked. */
export function scopeEnded(draft: Draft, scope: ScopePath): void {
  const driver = driverOf(draft, scope);
  const spec = draft.program.nodes[driver.node]!.regionSpec;
  const state = draft.scope(scope);
  const failed = state.error !== null && spec?.onIterationError !== 'fail';
  if (!driver.invocations && spec?.driver.kind === 'doWhile' && !driver.broken && (!state.stopped || failed)) {
    // After an iteration that failed and does not count as a failure the condition is asked as well: else nothing would end the loop.
    state.stopped = false;
    schedule(draft, [{ scope, node: driver.node, inputs: driver.inputs, cause: 'region', phase: 'next' }]);
    return setStatus(draft);
  }
  closeIteration(draft, scope, driver, true);
}

/** A scope can only go on by being woken: its place may go to another iteration. */
export function scopeSuspended(draft: Draft, scope: ScopePath): void {
  if (scope === '') return;
  const driver = driverOf(draft, scope);
  if (driver.invocations || keepsPlace(draft, draft.program.nodes[driver.node]!.regionSpec!)) return;
  drive(draft, driver);
}

/** Opens one scope for each node that an activation calls over resource edges; the activation is suspended on them. */
export function invoke(draft: Draft, activation: OpenActivation, calls: readonly Extract<Effect, { kind: 'invoke' }>[]): void {
  const { scope, node, seq, inputs, cause, attempt } = activation;
  // Scopes are numbered on from earlier calls of the same activation, so that their activations have ids of their own.
  const first = draft.list(scope, node, resultsList(seq)).entries;
  const running = calls.map((_, index) => first + index);
  draft.writeDriver({ scope, node, seq, total: calls.length, next: calls.length, running, finished: 0, broken: false, branches: null, error: null, inputs, cause, attempt, invocations: true });
  const firings = calls.map((call, index): Firing => {
    const child = draft.openChild(scope, node, seq, first + index);
    return { scope: child, node: call.node, inputs: [], cause: 'invoke', arguments: call.arguments };
  });
  schedule(draft, firings);
}

/** Opens as many scopes as the driver may, or closes the region when none is left. */
function drive(draft: Draft, state: DriverState): void {
  let driver = state;
  const { regionSpec } = draft.program.nodes[driver.node]!;
  const spec = regionSpec!;
  const firings: Firing[] = [];
  while (mayOpen(draft, driver, spec)) {
    const index = driver.next;
    const entries = driver.branches ? (spec.branches[driver.branches[index]!] ?? []) : spec.entries;
    if (entries.length === 0) {
      // A branch without nodes is over before it begins; its place among the results stays empty.
      keepResult(draft, driver, index, null);
      driver = { ...driver, next: index + 1, finished: driver.finished + 1 };
      continue;
    }
    const scope = draft.openChild(driver.scope, driver.node, driver.seq, index);
    driver = { ...driver, next: index + 1, running: [...driver.running, index] };
    if (spec.driver.kind === 'while') firings.push({ scope, node: driver.node, inputs: driver.inputs, cause: 'region', phase: 'next' });
    else for (const entry of entries) firings.push(entryFiring(driver, scope, entry));
  }
  if (driver.running.length === 0) return closeRegion(draft, driver, spec);
  draft.writeDriver(driver);
  schedule(draft, firings);
  setStatus(draft);
}

function mayOpen(draft: Draft, driver: DriverState, spec: RegionSpec): boolean {
  if (driver.broken || driver.error || draft.execution.ending) return false;
  if (driver.scope !== '' && draft.scope(driver.scope).stopped) return false;
  if (driver.total !== null && driver.next >= driver.total) return false;
  if (spec.maxIterations !== null && driver.next >= spec.maxIterations) return false;
  const busy = keepsPlace(draft, spec) ? driver.running : driver.running.filter((index) => !isParked(draft, childScope(driver.scope, driver.node, driver.seq, index)));
  switch (spec.driver.kind) {
    case 'map':
      if (spec.driver.batch !== null && driver.next % spec.driver.batch === 0 && driver.running.length > 0) return false;
      return busy.length < spec.driver.maxConcurrency;
    case 'select':
      return true;
    default:
      return busy.length < 1;
  }
}

/** Whether a suspended iteration is in the way of the next one. */
function keepsPlace(draft: Draft, { driver, countSuspended }: RegionSpec): boolean {
  // Whether there is another iteration shows when the one before has ended.
  if (driver.kind === 'while' || driver.kind === 'doWhile') return true;
  // Where suspended activations keep their places, what it opened would only stand in front of what the suspended ones call.
  return countSuspended || draft.program.policies.suspendedHoldsPlace;
}

function isParked(draft: Draft, scope: ScopePath): boolean {
  const { open, suspended } = draft.scope(scope);
  return open === 0 && suspended > 0;
}

const entryFiring = (driver: DriverState, scope: ScopePath, node: number): Firing => ({ scope, node, inputs: driver.inputs, cause: 'region' });

function driverOf(draft: Draft, scope: ScopePath): DriverState {
  const { region, seq } = scopeOwner(scope);
  return draft.driver(parentScope(scope), region, seq);
}

function totalOf(spec: RegionSpec, enter: Extract<Effect, { kind: 'enter' }> | undefined): number | null {
  switch (spec.driver.kind) {
    case 'while':
    case 'doWhile':
      return null;
    case 'call':
      return 1;
    case 'select':
      return enter?.branches?.length ?? 0;
    default:
      return enter?.count ?? 0;
  }
}

function driverError(spec: RegionSpec, enter: Extract<Effect, { kind: 'enter' }> | undefined, node: ProgramNode): DriverState['error'] {
  const lists = spec.driver.kind === 'forEach' || spec.driver.kind === 'map' || spec.driver.kind === 'count';
  if (!lists || spec.onEmpty === 'skip' || (enter?.count ?? 0) > 0) return null;
  return { message: `"${node.name}" has nothing to iterate over.`, node: node.name, code: 'empty_region' };
}

/** Takes the result of an iteration and lets the driver go on. */
function closeIteration(draft: Draft, scope: ScopePath, state: DriverState, hasResult: boolean): void {
  const { index } = scopeOwner(scope);
  const { result, error } = draft.scope(scope);
  draft.closeScope(scope);
  let driver: DriverState = { ...state, running: state.running.filter((open) => open !== index) };
  if (error && !driver.invocations) driver = withFailure(draft, driver, index, error);
  else if (hasResult) {
    keepResult(draft, driver, index, result);
    if (error) draft.cells.push({ scope: driver.scope, node: driver.node, name: `error.${driver.seq}.${index}`, value: { ...error } });
    driver = { ...driver, finished: driver.finished + 1 };
  }
  if (!driver.invocations) return drive(draft, driver);
  if (driver.running.length > 0) {
    draft.writeDriver(driver);
    return setStatus(draft);
  }
  draft.closeDriver(driver);
  draft.woken.push({ scope: driver.scope, node: driver.node, seq: driver.seq, resume: { cause: 'children', payload: { list: resultsList(driver.seq), from: index + 1 - (driver.total ?? 1), count: driver.total } } });
  draft.execution.status = 'running';
}

function withFailure(draft: Draft, driver: DriverState, index: number, error: NonNullable<DriverState['error']>): DriverState {
  const policy = draft.program.nodes[driver.node]!.regionSpec!.onIterationError;
  if (policy === 'fail') return { ...driver, error: driver.error ?? error };
  if (policy === 'drop') return driver;
  keepResult(draft, driver, index, null);
  if (policy === 'collect') draft.cells.push({ scope: driver.scope, node: driver.node, name: `error.${driver.seq}.${index}`, value: { ...error } });
  return { ...driver, finished: driver.finished + 1 };
}

/** Results stand in the order of the iterations, whatever the order in which they ended. */
function keepResult(draft: Draft, { scope, node, seq }: DriverState, index: number, ref: OutputRef | null): void {
  draft.appends.push({ scope, node, name: resultsList(seq), entry: index, firstItem: index, ref, from: null });
}

function closeRegion(draft: Draft, driver: DriverState, spec: RegionSpec): void {
  const node = draft.program.nodes[driver.node]!;
  draft.closeDriver(driver);
  draft.count(driver.scope, driver.node, -1, 'open');
  if (driver.error) return fail(draft, node, driver, driver.error, []);
  // A result keeps the place of its iteration: some places are empty, and one may hold several items.
  const outputs: PortOutput[] = [{ port: spec.donePort, count: driver.finished, list: resultsList(driver.seq), entries: driver.next }];
  record(draft, driver, 'done', outputs, null, []);
  succeed(draft, driver.scope, node, driver, outputs);
}
