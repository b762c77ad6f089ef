import { parentScope, ROOT, scopeOwner, type Need, type OpenActivation } from '@app/engine';

const NODES = 20_000;

/** A need as seen from the activation that has it, so that it can be recalled for another one of the same node. */
type Relative = { readonly need: Exclude<Need, { readonly kind: 'queue' | 'driver' | 'allTokens' }>; readonly where: 'own' | 'parent' | 'root' } | { readonly need: Extract<Need, { readonly kind: 'queue' }>; readonly where: null };

/**
 * What a step at a node needed the last times: loaded with the locks the next time, so that a long execution costs no
 * more round trips than a short one. The store knows no programs; it learns.
 */
export class Footprints {
  private readonly nodes = new Map<string, Map<string, Relative>>();

  learn(versionId: string, activation: OpenActivation, needs: readonly Need[]): void {
    const key = `${versionId} ${activation.node}`;
    const known = this.nodes.get(key) ?? new Map<string, Relative>();
    for (const need of needs) {
      const relative = relativeTo(activation, need);
      if (relative && known.size < 64) known.set(JSON.stringify({ ...relative, need: { ...relative.need, scope: '' } }), relative);
    }
    this.nodes.delete(key);
    this.nodes.set(key, known);
    if (this.nodes.size > NODES) this.nodes.delete(this.nodes.keys().next().value!);
  }

  recall(versionId: string, activation: OpenActivation): Need[] {
    const { scope } = activation;
    const needs: Need[] = [...(this.nodes.get(`${versionId} ${activation.node}`)?.values() ?? [])].map(({ need, where }) =>
      where === null ? need : { ...need, scope: where === 'own' ? scope : where === 'parent' ? parentScope(scope) : ROOT },
    );
    if (scope === ROOT) return needs;
    const { region, seq } = scopeOwner(scope);
    return [...needs, { kind: 'scope', scope }, { kind: 'driver', scope: parentScope(scope), node: region, seq }];
  }
}

function relativeTo({ scope }: OpenActivation, need: Need): Relative | null {
  if (need.kind === 'queue') return { need, where: null };
  // All tokens of a node are for the last of its arrivals; next time that is another node.
  if (need.kind === 'driver' || need.kind === 'allTokens') return null;
  if (need.scope === scope) return { need, where: 'own' };
  if (need.scope === parentScope(scope)) return { need, where: 'parent' };
  return need.scope === ROOT ? { need, where: 'root' } : null;
}
