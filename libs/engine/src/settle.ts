import type { ActivationKey, OpenActivation, ScopePath } from './activation.ts';
import { ROOT } from './activation.ts';
import { schedule } from './admit.ts';
import { deadDelivery, deliverAll, type Delivery } from './deliver.ts';
import type { Draft } from './draft.ts';
import { applyEffects, streamed } from './effects.ts';
import type { ErrorShape } from './item.ts';
import { runsEarlier } from './linked-program.ts';
import type { Outcome, PortOutput } from './outcome.ts';
import type { Edge, ProgramNode } from './program.ts';
import { advance, setStatus } from './quiet.ts';
import { conditionAnswered, conditionFailed, enterRegion } from './regions.ts';
import { nextRetry } from './retry.ts';
import { suspend } from './suspend.ts';
import type { SettledRun } from './transition.ts';

/** An activation has an outcome: retry, suspend, or record the run and let its successors begin. */
export function settle(draft: Draft, activation: OpenActivation, outcome: Outcome): void {
  const node = draft.program.nodes[activation.node]!;
  if (outcome.kind === 'suspended') return suspend(draft, activation, outcome);
  if (retried(draft, node, activation, outcome)) return setStatus(draft);

  close(draft, activation);
  applyEffects(draft, activation, outcome.effects ?? []);
  if (node.kind === 'region' && outcome.kind === 'done') {
    if (activation.phase === 'next') return conditionAnswered(draft, activation, outcome.effects);
    return enterRegion(draft, node, activation, outcome.effects);
  }
  if (activation.phase === 'next' && outcome.kind === 'failed') return conditionFailed(draft, node, activation, outcome.error);
  draft.count(activation.scope, activation.node, -1, 'open');

  if (outcome.kind === 'failed') return fail(draft, node, activation, outcome.error, outcome.fallback ?? []);
  record(draft, activation, outcome.void ? 'void' : 'done', outcome.outputs, null, streamed(outcome.effects));
  if (outcome.void && draft.program.policies.dead === 'off') return advance(draft, activation.scope, draft.program.policies.drainAfterVoid);
  succeed(draft, activation.scope, node, activation, outcome.void ? [] : outcome.outputs);
}

/** The final failure of a node or of a region, by the node's error policy. The run has left its scope's count. */
export function fail(draft: Draft, node: ProgramNode, activation: RunOrigin, error: ErrorShape, fallback: readonly PortOutput[]): void {
  const located = { ...error, node: error.node ?? node.name, runIndex: activation.seq };
  const { onError } = node;
  const outputs = onError.kind === 'continue' ? fallback : onError.kind === 'port' ? [fallback[0] ?? { port: onError.port, count: 0 }] : [];
  record(draft, activation, 'failed', outputs, located, []);
  if (onError.kind !== 'failRun') return succeed(draft, activation.scope, node, activation, outputs);
  if (activation.scope !== ROOT) {
    const scope = draft.scope(activation.scope);
    scope.stopped = true;
    scope.error ??= located;
  } else {
    draft.execution.ending ??= { status: 'failed', cause: error.code === 'crashed' ? 'crashed' : 'node-failed', error: located };
  }
  advance(draft, activation.scope);
}

/** Lets the outputs of a finished run flow to its successors. */
export function succeed(draft: Draft, scope: ScopePath, node: ProgramNode, run: ActivationKey, outputs: readonly PortOutput[]): void {
  rememberResult(draft, scope, node, run, outputs);
  if (!draft.execution.ending) schedule(draft, deliverAll(draft, scope, deliveries(draft, node, run, outputs)));
  advance(draft, scope);
}

export type RunOrigin = ActivationKey & Pick<OpenActivation, 'inputs' | 'cause' | 'attempt'>;

export function record(draft: Draft, run: RunOrigin, status: SettledRun['status'], outputs: readonly PortOutput[], error: ErrorShape | null, stream: readonly string[]): void {
  const { scope, node, seq, inputs, cause, attempt } = run;
  draft.runs.push({ scope, node, seq, status, attempt, commit: draft.execution.commits, inputs, cause, outputs, error, stream });
}

/** The activation is open no longer. Its place in the scope's count is given up by whoever decides what follows. */
function close(draft: Draft, activation: OpenActivation): void {
  const { scope, node, seq } = activation;
  draft.closed = { scope, node, seq };
  if (activation.wasSuspended) {
    draft.execution.suspended -= 1;
    draft.count(scope, node, -1, 'suspended');
    draft.count(scope, node, 1, 'open');
  } else {
    draft.execution.open -= 1;
  }
}

/** True when the failed try is followed by another one. */
function retried(draft: Draft, node: ProgramNode, activation: OpenActivation, outcome: Exclude<Outcome, { kind: 'suspended' }>): boolean {
  const soft = outcome.kind === 'done' && outcome.softFailure && node.retry.retrySoftFailures;
  if (outcome.kind === 'done' ? !soft : outcome.final || outcome.error.retryable === false) return false;
  if (draft.execution.ending || draft.scope(activation.scope).stopped) return false;
  const readyAt = nextRetry(node.retry, activation.attempt - activation.losses - activation.wakes, draft.now);
  if (readyAt === null) return false;
  const { scope, seq } = activation;
  const error = outcome.kind === 'failed' ? outcome.error : { message: 'The items of this try report an error.', code: 'soft_failure' };
  draft.reopened = { kind: 'retry', scope, node: node.index, seq, readyAt, error, outputs: outcome.kind === 'done' ? outcome.outputs : [] };
  if (activation.wasSuspended) {
    draft.execution.suspended -= 1;
    draft.execution.open += 1;
    draft.count(scope, node.index, -1, 'suspended');
    draft.count(scope, node.index, 1, 'open');
  }
  return true;
}

function rememberResult(draft: Draft, scope: ScopePath, node: ProgramNode, run: ActivationKey, outputs: readonly PortOutput[]): void {
  if (scope === ROOT || node.region === null) return;
  const wanted = draft.program.nodes[node.region]!.regionSpec!.resultNode;
  const output = outputs[0];
  if (!output || (wanted !== null && wanted !== node.index)) return;
  draft.scope(scope).result = output.ref ?? { scope, node: node.index, seq: run.seq, port: output.port, count: output.count };
}

/** What goes over the edges of a finished run, in the order in which successors are queued (depth first: last to run first). */
function deliveries(draft: Draft, node: ProgramNode, run: ActivationKey, outputs: readonly PortOutput[]): Delivery[] {
  const { policies } = draft.program;
  const list: Delivery[] = [];
  for (const edges of draft.program.outgoing[node.index]!) {
    for (const edge of edges) {
      const output = outputs.find((candidate) => candidate.port === edge.from.port);
      if (output && emitted(draft, edge, output)) list.push(liveDelivery(edge, run, output));
      else if (policies.dead === 'on') list.push(deadDelivery(edge));
    }
  }
  if (policies.dead === 'on') return list.sort((a, b) => a.edge.to.node - b.edge.to.node || a.edge.index - b.edge.index);
  list.sort((a, b) => runsEarlier(a.edge, b.edge));
  return policies.order === 'depthFirst' ? list.reverse() : list;
}

function emitted(draft: Draft, edge: Edge, output: PortOutput): boolean {
  if (output.count > 0) return true;
  switch (draft.program.policies.emptyOutput) {
    case 'emitted':
      return true;
    case 'notEmitted':
      return false;
    case 'emittedToLaterInputs':
      return draft.program.nodes[edge.to.node]!.slots[edge.to.slot]!.input > 0;
  }
}

function liveDelivery(edge: Edge, { scope, node, seq }: ActivationKey, output: PortOutput): Delivery {
  const { port, count } = output;
  return { edge, live: true, token: { edge: edge.index, ref: output.ref ?? { scope, node, seq, port, count }, from: { scope, node, seq, port } } };
}
