import { stampLineage, type Item, type Source } from '@app/engine';
import type { ClaimedActivation } from '@app/store';
import type { LoadedProgram } from '../program-cache.ts';
import type { WorkerKit } from '../worker-kit.ts';
import type { PreparedNode } from './prepared-node.ts';

export interface LoadedInputs {
  /** By input; null where nothing arrived. [] for nodes that work on references. */
  readonly items: readonly (Item[] | null)[];
  /** The same before "execute once" cuts them: what expressions see. */
  readonly whole: readonly (Item[] | null)[];
  readonly sources: readonly (Source | null)[];
  readonly counts: readonly number[];
}

/** Brings the items that lie on the inputs of an activation, stamped with their place. */
export async function loadInputs(program: LoadedProgram, prepared: PreparedNode, activation: ClaimedActivation, kit: WorkerKit, pinned: boolean): Promise<LoadedInputs> {
  const { inputs } = activation;
  const history = kit.histories.of(activation.executionId);
  const lazy = prepared.lazyInput && !pinned;
  if (!lazy) await history.load(program.program, inputs.flatMap((input) => (input?.ref && input.ref.count > 0 ? [input.ref] : [])));
  const once = Boolean(prepared.node.attributes['executeOnce']);
  const items = inputs.map((input) => {
    if (!input) return null;
    if (!input.ref) return [{ json: {} }];
    return lazy || input.ref.count === 0 ? [] : history.known(input.ref)!;
  });
  const whole = stampLineage(items);
  return {
    items: once ? whole.map((list) => list && list.slice(0, 1)) : whole,
    whole,
    sources: inputs.map((input) => (input?.from ? { previousNode: program.program.nodes[input.from.node]!.name, previousNodeOutput: input.from.port, previousNodeRun: input.from.seq } : null)),
    counts: inputs.map((input) => (input ? Math.min(once ? 1 : Infinity, input.ref?.count ?? 1) : 0)),
  };
}
