import { ROOT, childScope, nodeKey, waitingOf, type LinkedProgram, type ScopeState, type Snapshot, type Token } from '@app/engine';

/** An activation that is open, as the recount sees it. */
export interface OpenRow {
  readonly scope: string;
  readonly node: number;
  readonly wasSuspended: boolean;
}

/**
 * Counts everything that a snapshot keeps a running number of from scratch, and looks for what must never be left
 * after a step. Answers what does not agree; knows nothing of how the scheduler arrives there.
 */
export function disagreements(program: LinkedProgram, snapshot: Snapshot, open: readonly OpenRow[], fired: ReadonlyMap<string, number>): string[] {
  const found: string[] = [];
  const expect = (what: string, stored: unknown, counted: unknown): void => {
    if (stored !== counted && JSON.stringify(stored) !== JSON.stringify(counted)) found.push(`${what} is ${JSON.stringify(stored)}, counted ${JSON.stringify(counted)}`);
  };
  const { execution, scopes, tokens, drivers } = snapshot;
  const queue = snapshot.queue ?? [];
  expect('open', execution.open, open.filter((row) => !row.wasSuspended).length);
  expect('suspended', execution.suspended, open.filter((row) => row.wasSuspended).length);
  expect('queued', execution.queued, queue.length);
  expect('queue order', queue.map((entry) => entry.position), queue.map((entry) => entry.position).sort((a, b) => a - b));

  const regions = [...drivers.values()].filter((driver) => !driver.invocations);
  const children = [...drivers.values()].flatMap((driver) => driver.running.map((index) => childScope(driver.scope, driver.node, driver.seq, index)));
  expect('open scopes', [...scopes.keys()].sort(), [ROOT, ...children].sort());
  for (const state of scopes.values()) scopeAgrees(state);
  for (const [key, count] of fired) expect(`fired ${key}`, snapshot.fired.get(key as never), count);
  expect('waiting', sorted(snapshot.waiting), sorted(waitingOf(tokens)));
  for (const { tokens: list } of tokens.values()) if (list[0]) nodeAgrees(list[0].scope, list[0].node, list);
  return found;

  function scopeAgrees(state: ScopeState): void {
    const { scope } = state;
    const name = `scope "${scope}"`;
    const here = open.filter((row) => row.scope === scope);
    const work = [...here.filter((row) => !row.wasSuspended), ...queue.filter((entry) => entry.scope === scope), ...regions.filter((driver) => driver.scope === scope)];
    const parked = here.filter((row) => row.wasSuspended);
    expect(`${name} open`, state.open, work.length);
    expect(`${name} suspended`, state.suspended, parked.length);
    expect(`${name} held`, state.held, [...tokens.values()].flatMap(({ tokens: list }) => list).filter((token) => token.scope === scope).length);
    const cycles = new Map<number, number>();
    for (const { node } of [...work, ...parked]) {
      const cycle = program.cycle[node]!;
      if (cycle >= 0) cycles.set(cycle, (cycles.get(cycle) ?? 0) + 1);
    }
    for (const cycle of new Set([...cycles.keys(), ...Object.keys(state.cycles).map(Number)])) expect(`${name} cycle ${cycle}`, state.cycles[cycle] ?? 0, cycles.get(cycle) ?? 0);
    expect(`${name} held dead`, state.heldDead.length, new Set(state.heldDead).size);
    if (execution.ending) return;
    if (work.length + parked.length === 0) found.push(`${name} is quiet and still open`);
    if (state.stopped) return;
    for (const edge of state.heldDead) if (!cycles.get(program.exits[edge]!)) found.push(`${name} holds a dead token of edge ${edge} although its cycle is quiet`);
  }

  function nodeAgrees(scope: string, index: number, list: readonly Token[]): void {
    const state = scopes.get(scope);
    if (!state) found.push(`tokens of node ${index} are left in scope "${scope}", which is closed`);
    if (!state || state.stopped || execution.ending) return;
    const node = program.nodes[index]!;
    const tally = list.at(-1)!.tally;
    if (tally && (tally.tokens < list.length || tally.live < list.filter((token) => token.live).length)) found.push(`node ${index} in scope "${scope}" holds more than its youngest token counts`);
    if (program.wide.has(index) && !tally) found.push(`the youngest token of the wide join ${index} in scope "${scope}" counts nothing`);
    let vain = node.groups.length > 0 && program.policies.dead === 'on' && node.slots.every(({ buffer }) => buffer === 'latch');
    for (const group of node.groups) {
      const full = group.slots.every((slot) => {
        const { buffer, merge, edges } = node.slots[slot]!;
        const here = list.filter((token) => token.slot === slot);
        return buffer === 'fifo' || (merge === 'anyEdge' && here.some((token) => token.live)) ? here.length > 0 : edges.every((edge) => here.some((token) => token.edge === edge));
      });
      const live = group.slots.filter((slot) => list.some((token) => token.slot === slot && token.live)).length;
      vain &&= full && live > 0 && live < group.needLive;
      if (full && live >= group.needLive && live > 0) found.push(`node ${index} has a complete set in scope "${scope}" and did not fire: ${nodeKey(scope, index)}`);
    }
    if (vain) found.push(`all sets of node ${index} are settled with too few live ones in scope "${scope}", and it was not skipped`);
    for (const [slot, { buffer }] of node.slots.entries()) if (buffer === 'latch' && new Set(list.filter((token) => token.slot === slot).map((token) => token.edge)).size !== list.filter((token) => token.slot === slot).length) found.push(`a latch of node ${index} holds two tokens of one edge`);
  }
}

const sorted = (waiting: ReadonlyMap<string, readonly number[]>): [string, readonly number[]][] => [...waiting].filter(([, nodes]) => nodes.length > 0).sort(([a], [b]) => (a < b ? -1 : 1));
