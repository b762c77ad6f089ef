import { ROOT, arrivalKey, driverKey, listKey, nodeKey, step, type Arrival, type Event, type LinkedProgram, type Need, type NodeTokens, type QueuedFiring, type ScopeState, type Snapshot, type StepResult } from '@app/engine';

export interface DemandLoaded {
  readonly result: StepResult;
  readonly needs: readonly Need[];
}

/**
 * Takes a step as a store does that begins with the execution's own row and loads what the step asks for. `front` and
 * `tokens` cut what one load brings of the queue and of a slot.
 */
export function stepOnDemand(program: LinkedProgram, whole: Snapshot, event: Event, now: number, cut: { readonly front: number; readonly tokens: number; readonly root: boolean }): DemandLoaded {
  const scopes = new Map<string, ScopeState>();
  const root = whole.scopes.get(ROOT);
  if (cut.root && root) scopes.set(ROOT, root);
  const fired = new Map<string, number>();
  const tokens = new Map<string, NodeTokens>();
  const arrivals = new Map<string, Arrival>();
  const waiting = new Map<string, readonly number[]>();
  const drivers = new Map<string, unknown>();
  const lists = new Map<string, unknown>();
  let queue: readonly QueuedFiring[] | null = whole.execution.queued === 0 ? [] : null;
  const needs: Need[] = [];
  const asked = new Set<string>();
  for (;;) {
    const part = { execution: whole.execution, scopes, fired, tokens, arrivals, waiting, queue, drivers, lists, complete: false } as Snapshot;
    const result = step(program, part, event, now);
    if (result.kind !== 'incomplete') return { result, needs };
    for (const need of result.needs) {
      const text = JSON.stringify(need);
      if (asked.has(text)) throw new Error(`The step asked twice for ${text}.`);
      asked.add(text);
      needs.push(need);
      load(need);
    }
  }

  function load(need: Need): void {
    switch (need.kind) {
      case 'scope': {
        const scope = whole.scopes.get(need.scope);
        if (!scope) throw new Error(`The step asked for scope "${need.scope}", which is not open.`);
        scopes.set(need.scope, scope);
        break;
      }
      case 'fired':
        fired.set(nodeKey(need.scope, need.node), whole.fired.get(nodeKey(need.scope, need.node)) ?? 0);
        break;
      case 'tokens':
        tokens.set(nodeKey(need.scope, need.node), cutTokens(whole.tokens.get(nodeKey(need.scope, need.node)), cut.tokens));
        break;
      case 'allTokens':
        tokens.set(nodeKey(need.scope, need.node), whole.tokens.get(nodeKey(need.scope, need.node)) ?? { tokens: [], more: [] });
        break;
      case 'arrival': {
        const here = whole.tokens.get(nodeKey(need.scope, need.node))?.tokens ?? [];
        arrivals.set(arrivalKey(need.scope, need.node, need.edge), { own: here.find((token) => token.edge === need.edge) ?? null, last: here.at(-1) ?? null });
        break;
      }
      case 'waiting':
        waiting.set(need.scope, whole.waiting.get(need.scope) ?? []);
        break;
      case 'queue':
        queue = (whole.queue ?? []).slice(0, cut.front);
        break;
      case 'driver': {
        const key = driverKey(need.scope, need.node, need.seq);
        const driver = whole.drivers.get(key);
        if (!driver) throw new Error(`The step asked for driver ${key}, which does not exist.`);
        drivers.set(key, driver);
        break;
      }
      case 'list': {
        const key = listKey(need.scope, need.node, need.name);
        lists.set(key, whole.lists.get(key) ?? { entries: 0, items: 0 });
        break;
      }
    }
  }
}

/** The first few tokens of each slot. */
function cutTokens(held: NodeTokens | undefined, limit: number): NodeTokens {
  if (!held) return { tokens: [], more: [] };
  const counts = new Map<number, number>();
  const kept = held.tokens.filter(({ slot }) => {
    const count = (counts.get(slot) ?? 0) + 1;
    counts.set(slot, count);
    return count <= limit;
  });
  return { tokens: kept, more: [...counts].flatMap(([slot, count]) => (count > limit ? [slot] : [])) };
}

/**
 * How many rows one step may ask for: some for each node in each scope that it can reach from where it happened (the
 * chain of enclosing scopes, and those that a driver keeps open), never some for each commit of the past.
 */
export function needBound(program: LinkedProgram, whole: Snapshot): number {
  return 8 + whole.scopes.size * 2 + program.nodes.length * 4 * 3;
}
