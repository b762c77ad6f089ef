import type { Item, Outcome, PortOutput } from '@app/engine';
import { alwaysOutput, fillPairing, isSoftFailure, normalizeErrorItems, routeErrorItems } from '@app/engine';
import type { ListPayload, NodeResult, OutputPayload } from '@app/nodes';
import type { ChildExecution, ClaimedActivation, CommitOptions } from '@app/store';
import type { LoadedProgram } from '../program-cache.ts';
import type { WorkerKit } from '../worker-kit.ts';
import { ActivationContext } from './activation-context.ts';
import { planChildren } from './children.ts';
import { fallbackOutputs, passThrough, pinnedItems } from './node-settings.ts';
import { isStoreAway, toErrorShape } from './node-failure.ts';
import { loadInputs, type LoadedInputs } from './inputs.ts';
import type { PreparedNode } from './prepared-node.ts';
import { ExecutionOverdue, withDeadline } from './deadline.ts';

export type Extra = Partial<Pick<CommitOptions, 'staticData' | 'customData' | 'children' | 'logs'>>;

export interface NodeRunResult {
  readonly outcome: Outcome;
  readonly extra: Extra;
  /** What it comes to when the outcome turns out to be one that cannot be stored. Default: a plain failure. */
  readonly failWith?: (error: unknown) => Outcome;
}

const VOID: Outcome = { kind: 'done', outputs: [], effects: [], void: true };
/** An empty list on the first port: recorded, without successors. */
const NOTHING: Outcome = { kind: 'done', outputs: [{ port: 0, count: 0, items: [] }], effects: [] };

/**
 * Runs the node of an activation with everything that stands around a node whatever its type: disabled and pinned
 * nodes, inputs that are missing, error modes, pairing, "always output data".
 */
export async function runNode(program: LoadedProgram, activation: ClaimedActivation, signal: AbortSignal, kit: WorkerKit): Promise<NodeRunResult> {
  const prepared = program.node(activation.node);
  const { attributes } = prepared.node;
  if (attributes['disabled']) return plain(passThrough(activation, 0) ?? NOTHING);
  if (activation.resume && activation.resume.cause !== 'children') return plain(resumed(activation));

  const pinned = pinnedItems(program.program, activation, prepared.node.name);
  const inputs = await loadInputs(program, prepared, activation, kit, pinned !== null);
  if (pinned) return plain(finish(prepared, activation, inputs, [pinned]));
  if (prepared.missing) throw prepared.missing;
  if (!attributes['alwaysOutputData'] && nothingToDo(program, activation)) return plain(VOID);

  const context = await ActivationContext.create(program, prepared, activation, inputs, signal, kit);
  try {
    const result = await withDeadline(kit.settings, prepared, activation, signal, context.abort, async () => prepared.type!.run(context));
    const settled = await settle(result, prepared, program, activation, inputs, context, kit);
    return { ...settled, failWith: (error) => failure(prepared, inputs, error) };
  } catch (error) {
    if (error instanceof ExecutionOverdue || isStoreAway(error)) throw error;
    return { outcome: failure(prepared, inputs, error), extra: context.extra() };
  }
}

const plain = (outcome: Outcome): NodeRunResult => ({ outcome, extra: {} });

async function settle(result: NodeResult, prepared: PreparedNode, program: LoadedProgram, activation: ClaimedActivation, inputs: LoadedInputs, context: ActivationContext, kit: WorkerKit): Promise<NodeRunResult> {
  switch (result.kind) {
    case 'items':
      return { outcome: await context.withEffects(finish(prepared, activation, inputs, result.outputs)), extra: context.extra() };
    case 'suspend': {
      const suspension = { key: result.key, wait: result.wait, until: result.until, resume: 'complete' as const, children: 0 };
      return { outcome: { kind: 'suspended', suspension, effects: context.effects() }, extra: context.extra() };
    }
    case 'call': {
      const children: ChildExecution[] = await planChildren(result.calls, result.wait, program, activation, kit);
      if (!result.wait || children.length === 0) return { outcome: passThrough(activation, 0) ?? NOTHING, extra: { ...context.extra(), children } };
      const suspension = { key: `children.${activation.node}.${activation.seq}`, wait: 'children' as const, until: null, resume: 'reenter' as const, children: children.length };
      return { outcome: { kind: 'suspended', suspension, effects: context.effects() }, extra: { ...context.extra(), children } };
    }
  }
}

/** A timer or a signal completes the run: the payload's items, else the unchanged input, leave by the first port. */
function resumed(activation: ClaimedActivation): Outcome {
  const payload = activation.resume!.payload as { items?: readonly Item[] } | null;
  if (payload?.items) return { kind: 'done', outputs: [{ port: 0, count: payload.items.length, items: payload.items }], effects: [] };
  return passThrough(activation, 0) ?? NOTHING;
}

/** Nothing arrived where the node looks: it is passed over. The legacy order looks at the first input only. */
function nothingToDo({ program }: LoadedProgram, { inputs, cause }: ClaimedActivation): boolean {
  if (cause === 'start' || inputs.every((input) => input === null)) return false;
  const counts = inputs.map((input) => (input === null ? 0 : input.ref ? input.ref.count : 1));
  const looked = program.policies.startUnrunSources ? counts.slice(0, 1) : counts;
  return looked.every((count) => count === 0);
}

/** Applies the node's settings to what it returned. */
function finish(prepared: PreparedNode, activation: ClaimedActivation, inputs: LoadedInputs, returned: readonly (OutputPayload | null)[] | null): Outcome {
  const { attributes } = prepared.node;
  if (returned?.some(isList)) return { kind: 'done', outputs: returned.flatMap(portOfPayload), effects: [] };
  let outputs = returned as readonly (readonly Item[] | null)[] | null;
  if (outputs) {
    const errorOutput = attributes['errorOutput'];
    if (typeof errorOutput === 'number') outputs = routeErrorItems(outputs, inputs.items, errorOutput, inputs.sources.some((source) => source !== null));
    outputs = fillPairing(outputs, inputs.items);
    outputs = normalizeErrorItems(outputs);
  }
  if (attributes['alwaysOutputData']) outputs = alwaysOutput(outputs, inputs.items);
  if (!outputs) return VOID;
  const ports = outputs.map((items, port): PortOutput => ({ port, count: items?.length ?? 0, items: items ?? [] }));
  return { kind: 'done', outputs: ports, effects: [], softFailure: isSoftFailure(outputs) };
}

const isList = (payload: OutputPayload | null): payload is ListPayload => payload !== null && 'list' in payload;

/** Lists are counted when the effects of the run are known, see ActivationContext.withEffects. */
function portOfPayload(payload: OutputPayload | null, port: number): PortOutput[] {
  if (payload === null) return [{ port, count: 0, items: [] }];
  if (isList(payload)) return [{ port, count: -1, list: payload.list }];
  return [{ port, count: payload.length, items: payload }];
}

function failure(prepared: PreparedNode, inputs: LoadedInputs, error: unknown): Outcome {
  const shape = toErrorShape(error);
  const fallback = fallbackOutputs(prepared.node, inputs.items, shape);
  return fallback ? { kind: 'failed', error: shape, fallback } : { kind: 'failed', error: shape };
}

