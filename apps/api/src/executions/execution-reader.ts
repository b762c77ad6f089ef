import { Injectable } from '@nestjs/common';
import { ROOT, type Cell, type InputToken, type Item, type JsonObject, type OutputRef, type Snapshot } from '@app/engine';
import { executionView } from '@app/dialects';
import { Store, type ExecutionRecord, type OpenActivationRecord, type RunRecord } from '@app/store';
import { allRuns } from './execution-history.ts';
import { RunnableVersions } from './runnable-versions.ts';

/** Whether the items of an execution fit into one answer. */
export type ExecutionContents =
  { readonly kind: 'whole'; readonly data: JsonObject; readonly document: JsonObject; readonly items: number } | { readonly kind: 'tooLarge'; readonly items: number };

/** Outputs fetched by one call of the store. */
const outputsPerRead = 200;

/** The one place that gathers what the view of an execution is made of. */
@Injectable()
export class ExecutionReader {
  constructor(
    private readonly store: Store,
    private readonly versions: RunnableVersions,
  ) {}

  /** n8n's IRunExecutionData of an execution, unless it has more than `mostItems` items. */
  async read(execution: ExecutionRecord, mostItems: number): Promise<ExecutionContents> {
    const { program, document } = await this.versions.get(execution.versionId);
    const runs: RunRecord[] = [];
    for await (const page of allRuns(this.store, execution.id)) runs.push(...page);
    const open = await this.store.listOpenActivations(execution.id);
    const snapshot = await this.store.readSnapshot(execution.id);
    const refs = refsOf(runs, open, snapshot);
    const items = [...refs.values()].reduce((sum, ref) => sum + ref.count, 0);
    if (items > mostItems) return { kind: 'tooLarge', items };
    const loaded = await this.#load(execution.id, refs);
    const cells = await this.#cells(execution.id, runs, program.nodes.length);
    const view = executionView({ program, document, execution, runs, open, snapshot, cells, items: (ref) => loaded.get(refKey(ref)) });
    return { kind: 'whole', data: view as JsonObject, document, items };
  }

  async #load(executionId: string, refs: ReadonlyMap<string, OutputRef>): Promise<Map<string, Item[]>> {
    const loaded = new Map<string, Item[]>();
    const entries = [...refs];
    for (let at = 0; at < entries.length; at += outputsPerRead) {
      const part = entries.slice(at, at + outputsPerRead);
      const lists = await this.store.loadItems(
        executionId,
        part.map(([, ref]) => ref),
      );
      part.forEach(([key], index) => loaded.set(key, lists[index] ?? []));
    }
    return loaded;
  }

  async #cells(executionId: string, runs: readonly RunRecord[], nodes: number): Promise<Cell[]> {
    const everyNode = Array.from({ length: nodes }, (_, node) => node);
    const scopes = new Set([ROOT, ...runs.map((run) => run.scope)]);
    const cells: Cell[] = [];
    for (const scope of scopes) cells.push(...(await this.store.loadCells(executionId, scope, [-1, ...everyNode])));
    return cells;
  }
}

/** Every output that a view of the execution may show, once. Empty ones need no read. */
function refsOf(runs: readonly RunRecord[], open: readonly OpenActivationRecord[], snapshot: Snapshot | undefined): Map<string, OutputRef> {
  const refs = new Map<string, OutputRef>();
  const add = (ref: OutputRef | null | undefined) => {
    if (ref && ref.count > 0) refs.set(refKey(ref), ref);
  };
  const addInputs = (inputs: readonly (InputToken | null)[]) => inputs.forEach((input) => add(input?.ref));
  for (const run of runs) {
    for (const { port, count, ref } of run.outputs) add(ref ?? { scope: run.scope, node: run.node, seq: run.seq, port, count });
    if (run.status === 'failed') addInputs(run.inputs);
  }
  for (const activation of open) addInputs(activation.inputs);
  for (const firing of snapshot?.queue ?? []) addInputs(firing.inputs);
  for (const { tokens } of snapshot?.tokens.values() ?? []) addInputs(tokens);
  return refs;
}

const refKey = ({ execution, scope, node, seq, port, restamp }: OutputRef): string => `${execution ?? ''}:${scope}:${node}:${seq}:${port}:${restamp ?? ''}`;
