import { activationId, type ActivationKey, type Item, type LinkedProgram, type OutputRef } from '@app/engine';
import { nameSources } from '@app/dialects';
import type { RunRecord, Store } from '@app/store';

/** What a worker knows of an execution's past. Outputs and runs never change, so nothing here can be stale, only incomplete. */
export class History {
  private readonly items = new Map<string, readonly Item[]>();
  private readonly runs = new Map<string, RunRecord>();
  size = 0;

  constructor(
    readonly executionId: string,
    private readonly store: Store,
  ) {}

  known(ref: OutputRef): readonly Item[] | undefined {
    return this.items.get(refKey(ref));
  }

  /** Loads items by reference; those known already are not asked for again. */
  async load(program: LinkedProgram, refs: readonly OutputRef[]): Promise<void> {
    const missing = new Map(refs.filter((ref) => !this.items.has(refKey(ref))).map((ref) => [refKey(ref), ref]));
    if (missing.size === 0) return;
    const wanted = [...missing.values()];
    const loaded = await this.store.loadItems(this.executionId, wanted);
    wanted.forEach((ref, index) => this.keep(program, ref, loaded[index]!));
  }

  keep(program: LinkedProgram, ref: OutputRef, items: readonly Item[]): void {
    this.items.set(refKey(ref), nameSources(items, (index) => program.nodes[index]?.name ?? `#${index}`));
    this.size += items.length + 1;
  }

  async run(keys: readonly ActivationKey[]): Promise<RunRecord[]> {
    const missing = keys.filter((key) => !this.runs.has(activationId('', key)));
    if (missing.length > 0) for (const run of await this.store.loadRuns(this.executionId, missing)) this.runs.set(activationId('', run), run);
    return keys.flatMap((key) => this.runs.get(activationId('', key)) ?? []);
  }

  /** All finished runs of a node in a scope, by seq. */
  async runsOf(scope: string, node: number): Promise<RunRecord[]> {
    const runs = await this.store.loadRunsOfNodes(this.executionId, scope, [node]);
    for (const run of runs) this.runs.set(activationId('', run), run);
    return runs;
  }
}

export const refKey = ({ execution, scope, node, seq, port, restamp }: OutputRef): string => `${execution ?? ''}:${scope}:${node}:${seq}:${port}:${restamp ?? ''}`;

/** Histories of the executions a worker was last busy with. Bounded by executions and by the items of all of them. */
export class HistoryCache {
  private readonly histories = new Map<string, History>();

  constructor(
    private readonly store: Store,
    private readonly capacity = 200,
    /** Beyond this many items histories are forgotten, and loaded anew when needed: memory stays flat. */
    private readonly itemLimit = 20_000,
  ) {}

  of(executionId: string): History {
    const known = this.histories.get(executionId);
    this.histories.delete(executionId);
    const history = known && known.size <= this.itemLimit ? known : new History(executionId, this.store);
    this.histories.set(executionId, history);
    let items = 0;
    for (const { size } of this.histories.values()) items += size;
    for (const [oldest, { size }] of this.histories) {
      if ((items <= this.itemLimit && this.histories.size <= this.capacity) || oldest === executionId) break;
      this.histories.delete(oldest);
      items -= size;
    }
    return history;
  }
}
