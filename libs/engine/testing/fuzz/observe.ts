import { ROOT, driverKey, scopeOwner, type Edge, type Event, type LinkedProgram, type Outcome, type SettledRun, type Snapshot, type Transition } from '@app/engine';
import type { Coverage } from './coverage.ts';

/** Counts what a step did, judged from outside: by what it was given and what it answered. */
export function observe(coverage: Coverage, program: LinkedProgram, before: Snapshot, event: Event, result: Transition, after: Snapshot): void {
  if (event.kind === 'execution-started') policies(coverage, program);
  if (event.kind === 'activation-settled') outcome(coverage, event.outcome, result);
  for (const run of result.runs) settled(coverage, program, run);
  held(coverage, program, before, result, after);
  for (const { node, cause } of result.created) {
    const join = program.nodes[node]!.attributes['join'];
    if (cause === 'token' && typeof join === 'string') coverage.saw(join);
    if (cause === 'starved') coverage.saw('starved fireWithMissing');
    if (cause === 'forced') coverage.saw('policy startUnrunSources fired');
  }
  for (const driver of result.drivers) {
    if (driver.invocations || before.drivers.has(driverKey(driver.scope, driver.node, driver.seq))) continue;
    const spec = program.nodes[driver.node]!.regionSpec!;
    coverage.saw(`driver ${spec.driver.kind}${spec.driver.kind === 'map' && spec.driver.batch !== null ? ' batch' : ''}`);
    if (!spec.countSuspended) coverage.saw('policy countSuspended false');
  }
  if (result.end) ended(coverage, program, result, after);
}

function policies(coverage: Coverage, program: LinkedProgram): void {
  const { order, dead, skipRule, emptyOutput, maxConcurrency, suspendedHoldsPlace, drainAfterVoid } = program.policies;
  for (const name of [`order ${order}`, `dead ${dead}`, `skipRule ${skipRule}`, `emptyOutput ${emptyOutput}`, maxConcurrency === null ? 'unlimited' : 'limited']) coverage.saw(`policy ${name}`);
  if (suspendedHoldsPlace) coverage.saw('policy suspendedHoldsPlace');
  if (!drainAfterVoid) coverage.saw('policy drainAfterVoid false');
}

function outcome(coverage: Coverage, happened: Outcome, result: Transition): void {
  coverage.saw(`outcome ${happened.kind}`);
  if (happened.kind === 'done' && happened.void) coverage.saw('outcome void');
  if (happened.kind === 'done' && happened.softFailure) coverage.saw('outcome soft failure');
  if (happened.kind === 'failed' && happened.final) coverage.saw('outcome final failure');
  if (result.reopened?.kind === 'retry') coverage.saw('outcome retry');
  else for (const effect of happened.effects ?? []) coverage.saw(`effect ${effect.kind}`);
  if (happened.kind === 'done') for (const _ of happened.outputs) coverage.saw('effect emit');
  if (result.reopened?.kind === 'suspended') coverage.saw(`suspension ${result.reopened.suspension.wait} ${result.reopened.suspension.resume}`);
}

function settled(coverage: Coverage, program: LinkedProgram, run: SettledRun): void {
  const node = program.nodes[run.node]!;
  if (run.status === 'skipped') {
    coverage.saw('D2 skipped');
    if (node.kind === 'region') coverage.saw('D6 skipped region');
  }
  if (run.status === 'failed') {
    coverage.saw(`error policy ${node.onError.kind}`);
    const owner = run.scope === ROOT ? undefined : program.nodes[scopeOwner(run.scope).region];
    if (node.onError.kind === 'failRun' && owner?.regionSpec) coverage.saw(`iteration error ${owner.regionSpec.onIterationError}`);
  }
  if (program.policies.dead === 'off') return;
  for (const edge of program.outgoing[run.node]!.flat()) {
    if (emits(program, run, edge)) continue;
    if (run.status !== 'skipped') coverage.saw('D1 untaken port');
    if (program.back[edge.index]) coverage.saw('D3 not over a back edge');
  }
}

function emits(program: LinkedProgram, run: SettledRun, edge: Edge): boolean {
  const output = run.outputs.find(({ port }) => port === edge.from.port);
  if (!output) return false;
  const { emptyOutput } = program.policies;
  return output.count > 0 || emptyOutput === 'emitted' || (emptyOutput === 'emittedToLaterInputs' && program.nodes[edge.to.node]!.slots[edge.to.slot]!.input > 0);
}

/** Dead tokens that began or ceased to be held, and live ones that took the place of dead ones. */
function held(coverage: Coverage, program: LinkedProgram, before: Snapshot, result: Transition, after: Snapshot): void {
  const live = new Set<string>();
  for (const run of result.runs) for (const edge of program.outgoing[run.node]!.flat()) if (emits(program, run, edge)) live.add(`${run.scope} ${edge.index}`);
  for (const token of result.tokensTaken) if (!token.live && live.has(`${token.scope} ${token.edge}`)) coverage.saw('D5 live over dead');
  for (const { scope } of result.scopes) {
    if (!after.scopes.has(scope)) continue;
    const [was, is] = [before.scopes.get(scope)?.heldDead ?? [], after.scopes.get(scope)!.heldDead];
    for (const edge of is) if (!was.includes(edge)) coverage.saw('D4 held');
    for (const edge of was) if (!is.includes(edge)) coverage.saw(live.has(`${scope} ${edge}`) ? 'D4 dropped' : 'D4 released');
  }
}

function ended(coverage: Coverage, program: LinkedProgram, { end }: Transition, after: Snapshot): void {
  coverage.saw(`end ${end!.status}${end!.cause ? ` ${end!.cause}` : ''}`);
  if (end!.cause === 'starved') coverage.saw('starved error');
  if (end!.status !== 'succeeded' || end!.cause) return;
  for (const { tokens } of after.tokens.values()) if (tokens.some((token) => token.live) && program.nodes[tokens[0]!.node]!.onStarved.kind === 'nothing') coverage.saw('starved nothing');
}
