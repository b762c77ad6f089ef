import { ROOT, parentScope, scopeOwner, type OpenActivation } from './activation.ts';
import type { Draft } from './draft.ts';
import type { Effect } from './outcome.ts';

/** Performs the effects of a run that concern the execution's state. Those of regions and invocations are handled where they belong. */
export function applyEffects(draft: Draft, activation: OpenActivation, effects: readonly Effect[]): void {
  for (const effect of effects) {
    switch (effect.kind) {
      case 'setCell':
        draft.cells.push({ scope: activation.scope, node: effect.node, name: effect.name, value: effect.value });
        break;
      case 'setVar':
        draft.cells.push({ scope: ROOT, node: -1, name: effect.name, value: effect.value });
        break;
      case 'append':
        append(draft, activation, effect.list, effect.input);
        break;
      case 'break':
        breakRegion(draft, activation);
        break;
      case 'halt':
        draft.execution.ending ??= { status: 'succeeded', cause: null, error: null };
        break;
      case 'enter':
      case 'continue':
      case 'stream':
      case 'invoke':
        break;
    }
  }
}

export function streamed(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => (effect.kind === 'stream' ? [effect.chunk] : []));
}

function append(draft: Draft, { scope, node, inputs }: OpenActivation, name: string, input: number): void {
  const token = inputs[input];
  if (!token) return;
  const { entries, items } = draft.list(scope, node, name);
  draft.append({ scope, node, name, entry: entries, firstItem: items, ref: token.ref, from: token.from });
}

/** The iteration goes no further and no other one begins. */
function breakRegion(draft: Draft, { scope }: OpenActivation): void {
  if (scope === ROOT) return;
  draft.scope(scope).stopped = true;
  const { region, seq } = scopeOwner(scope);
  draft.writeDriver({ ...draft.driver(parentScope(scope), region, seq), broken: true });
}
