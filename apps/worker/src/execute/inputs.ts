import { stampLineage, type Item, type Source } from '@app/engine';
import type { ClaimedActivation } from '@app/store';
import type { LoadedProgram } from '../program-cache.ts';
import type { WorkerKit } from '../worker-kit.ts';
import type { PreparedNode } from './prepared-node.ts';

export interface LoadedInputs {
  /** By input; null where nothing arrived. [] for nodes that work on references. */
  readonly items: readonly (Item[] | null)[];
  readonly sources: readonly (Source | null)[];
  readonly counts: readonly number[];
}

/** Brings the items that lie on the inputs of an activation, stamped with their place. */
export async function loadInputs(program: LoadedProgram, prepared: PreparedNode, activation: ClaimedActivation, kit: WorkerKit, pinned: boolean): Promise<LoadedInputs> {
  const { inputs } = activation;
  const history = kit.histories.of(activation.executionId);
  const lazy = prepared.lazyInput && !pinned;
  if (!lazy) await history.load(program.program, inputs.flatMap((input) => (input?.ref && input.ref.count > 0 ? [input.ref] : [])));
  const cut = (items: readonly Item[]): readonly Item[] => (prepared.node.attributes['executeOnce'] ? items.slice(0, 1) : items);
  const items = inputs.map((input) => {
    if (!input) return null;
    if (!input.ref) return [{ json: {} }];
    return lazy || input.ref.count === 0 ? [] : cut(history.known(input.ref)!);
  });
  return {
    items: stampLineage(items),
    sources: inputs.map((input) => (input?.from ? { previousNode: program.program.nodes[input.from.node]!.name, previousNodeOutput: input.from.port, previousNodeRun: input.from.seq } : null)),
    counts: inputs.map((input) => (input ? (prepared.node.attributes['executeOnce'] ? Math.min(1, input.ref?.count ?? 1) : (input.ref?.count ?? 1)) : 0)),
  };
}
