import type { OpenActivation } from './activation.ts';
import type { Draft } from './draft.ts';
import { applyEffects } from './effects.ts';
import type { Outcome } from './outcome.ts';
import { advance } from './quiet.ts';
import { invoke } from './regions.ts';

/** The activation parks: its out-edges stay without tokens, everything else goes on. */
export function suspend(draft: Draft, activation: OpenActivation, outcome: Extract<Outcome, { kind: 'suspended' }>): void {
  const { scope, node, seq } = activation;
  applyEffects(draft, activation, outcome.effects);
  const calls = outcome.effects.filter((effect) => effect.kind === 'invoke');
  draft.reopened = { kind: 'suspended', scope, node, seq, suspension: calls.length > 0 ? { ...outcome.suspension, wait: 'children', children: calls.length } : outcome.suspension };
  if (!activation.wasSuspended) {
    draft.execution.open -= 1;
    draft.execution.suspended += 1;
    draft.count(scope, node, -1, 'open');
    draft.count(scope, node, 1, 'suspended');
  }
  if (calls.length > 0) invoke(draft, activation, calls);
  advance(draft, scope);
}
