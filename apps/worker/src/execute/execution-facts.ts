import type { ActivationKey, Item, JsonObject, OutputRef, ProgramNode, Source } from '@app/engine';
import type { ExecutionData, NodeRun, NodeRuns } from '@app/expressions';
import type { ClaimedActivation, RunRecord } from '@app/store';
import type { LoadedProgram } from '../program-cache.ts';
import type { WorkerKit } from '../worker-kit.ts';
import type { History } from './history-cache.ts';
import type { LoadedInputs } from './inputs.ts';
import type { PreparedNode } from './prepared-node.ts';
import type { StaticDataSession } from './static-data.ts';

/** What expressions and code of one activation may look at: loaded before the node runs, as far as they name it. */
export class ExecutionFacts implements ExecutionData {
  readonly node: ExecutionData['node'];
  readonly workflow: ExecutionData['workflow'];
  readonly execution: ExecutionData['execution'];
  readonly runIndex: number;
  readonly inputs: readonly (readonly Item[] | null)[];
  readonly inputSources: readonly (Source | null)[];
  readonly currentInput?: number;
  readonly vars: JsonObject = {};
  readonly env: Readonly<Record<string, string>> | null;
  readonly customData: Readonly<Record<string, string>> = {};
  readonly now: number;

  static async load(program: LoadedProgram, prepared: PreparedNode, activation: ClaimedActivation, inputs: LoadedInputs, statics: StaticDataSession, kit: WorkerKit): Promise<ExecutionFacts> {
    const facts = new ExecutionFacts(program, prepared, activation, inputs, statics, kit);
    const { nodes, dynamic, lineage } = prepared.references;
    if (nodes.size > 0 || dynamic) await facts.loadNamed(nodes, dynamic, lineage, kit);
    return facts;
  }

  private readonly runs = new Map<string, NodeRuns>();
  private readonly contexts = new Map<string, JsonObject>();

  private constructor(
    private readonly program: LoadedProgram,
    prepared: PreparedNode,
    private readonly activation: ClaimedActivation,
    inputs: LoadedInputs,
    private readonly statics: StaticDataSession,
    kit: WorkerKit,
  ) {
    const { node } = prepared;
    const { settings } = kit;
    this.node = { id: node.id, name: node.name, type: node.type, version: node.version, rawParameters: node.parameters };
    const timezone = program.program.attributes['timezone'];
    this.workflow = { ...program.workflow, timezone: typeof timezone === 'string' ? timezone : settings.timezone };
    const { executionId, mode } = activation;
    this.execution = { id: executionId, mode, resumeUrl: `${settings.baseUrl}/webhook-waiting/${executionId}`, resumeFormUrl: `${settings.baseUrl}/form-waiting/${executionId}` };
    this.runIndex = activation.seq;
    this.inputs = inputs.whole;
    this.inputSources = inputs.sources;
    this.env = settings.env;
    this.now = activation.claimedAt;
    if (program.program.policies.startUnrunSources) this.currentInput = 0;
  }

  get staticData(): { global: JsonObject; node: JsonObject } {
    return { global: this.statics.of('global'), node: this.statics.of('node') };
  }

  runsOf(nodeName: string): NodeRuns | undefined {
    return this.runs.get(nodeName);
  }

  hasNode(nodeName: string): boolean {
    return this.program.program.nodeByName(nodeName) !== undefined;
  }

  parametersOf(nodeName: string): JsonObject | undefined {
    return this.program.program.nodeByName(nodeName)?.parameters;
  }

  contextOf(nodeName: string): JsonObject {
    return this.contexts.get(nodeName) ?? {};
  }

  isAncestor(nodeName: string): boolean {
    const node = this.program.program.nodeByName(nodeName);
    return node !== undefined && this.program.program.isAncestor(node.index, this.activation.node);
  }

  outputTowards(nodeName: string): number {
    const target = this.program.program.nodeByName(nodeName);
    if (!target) return 0;
    const seen = new Set([this.activation.node]);
    const open = [this.activation.node];
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      for (const { from } of this.program.program.incoming[next]!) {
        if (from.node === target.index) return from.port;
        if (seen.has(from.node)) continue;
        seen.add(from.node);
        open.push(from.node);
      }
    }
    return 0;
  }

  private async loadNamed(names: ReadonlySet<string>, dynamic: boolean, lineage: boolean, kit: WorkerKit): Promise<void> {
    const history = kit.histories.of(this.activation.executionId);
    const { program } = this.program;
    const named = dynamic ? program.nodes : [...names].flatMap((name) => program.nodeByName(name) ?? []);
    const wanted: RunRecord[] = [];
    for (const node of named) {
      const runs = (await history.runsOf(this.activation.scope, node.index)).filter((run) => run.status !== 'void' && run.status !== 'skipped');
      if (runs.length > 0) this.runs.set(node.name, this.viewOf(runs, history));
      wanted.push(...runs);
      if (this.program.node(node.index).usesState) {
        const [cell] = (await kit.store.loadCells(this.activation.executionId, this.activation.scope, [node.index])).filter(({ name }) => name === 'context');
        if (cell) this.contexts.set(node.name, cell.value as JsonObject);
      }
    }
    await history.load(program, wanted.flatMap(outputRefs));
    if (lineage || dynamic) await this.loadAncestry(new Set(named.map((node) => node.index)), history);
  }

  /** Walks from the inputs back through the runs that fed them until the named nodes are reached. */
  private async loadAncestry(targets: ReadonlySet<number>, history: History): Promise<void> {
    const { program } = this.program;
    const seen = new Set<string>();
    const found = new Map<number, RunRecord[]>();
    let frontier = this.activation.inputs.flatMap((input) => (input?.from ? [input.from] : []));
    for (const input of this.activation.inputs) if (input?.from) frontier.push(...this.overwritten(input.ref ? (history.known(input.ref) ?? []) : []));
    while (frontier.length > 0) {
      const keys = frontier.filter((key) => !seen.has(`${key.scope}:${key.node}:${key.seq}`));
      for (const key of keys) seen.add(`${key.scope}:${key.node}:${key.seq}`);
      const runs = await history.run(keys);
      await history.load(program, runs.flatMap(outputRefs));
      frontier = [];
      for (const run of runs) {
        found.set(run.node, [...(found.get(run.node) ?? []), run]);
        if (targets.has(run.node)) continue;
        const overwritten = this.overwritten(run.outputs.flatMap((output) => history.known(refOf(run, output)) ?? []));
        // A batch of a loop names the run it came from; the runs of earlier passes need not be walked.
        frontier.push(...(overwritten.length > 0 ? overwritten : run.inputs.flatMap((input) => (input?.from ? [input.from] : []))));
      }
    }
    for (const [node, runs] of found) {
      const { name } = program.nodes[node]!;
      if (!this.runs.has(name)) this.runs.set(name, this.viewOf(runs, history));
    }
  }

  private overwritten(items: readonly Item[]): (ActivationKey & { port: number })[] {
    return items.flatMap(({ pairedItem }) => {
      const pairings = Array.isArray(pairedItem) ? pairedItem : [pairedItem];
      return pairings.flatMap((pairing) => {
        const source = typeof pairing === 'object' && pairing !== null && 'sourceOverwrite' in pairing ? (pairing.sourceOverwrite as Source | undefined) : undefined;
        const node = source && this.program.program.nodeByName(source.previousNode);
        return source && node ? [{ scope: this.activation.scope, node: node.index, seq: source.previousNodeRun, port: source.previousNodeOutput }] : [];
      });
    });
  }

  private viewOf(runs: readonly RunRecord[], history: History): NodeRuns {
    const bySeq = new Map(runs.map((run) => [run.seq, run]));
    const count = Math.max(...bySeq.keys()) + 1;
    return { count, run: (index) => this.runView(bySeq.get(index), history) };
  }

  private runView(run: RunRecord | undefined, history: History): NodeRun | undefined {
    if (!run) return undefined;
    const outputs: (readonly Item[] | null)[] = [];
    for (const output of run.outputs) {
      while (outputs.length <= output.port) outputs.push([]);
      outputs[output.port] = output.count === 0 ? [] : (history.known(refOf(run, output)) ?? null);
    }
    const nameOf = (node: number): string => (this.program.program.nodes[node] as ProgramNode).name;
    return { outputs, sources: run.inputs.map((input) => (input?.from ? { previousNode: nameOf(input.from.node), previousNodeOutput: input.from.port, previousNodeRun: input.from.seq } : null)) };
  }
}

const refOf = (run: RunRecord, output: RunRecord['outputs'][number]): OutputRef => output.ref ?? { scope: run.scope, node: run.node, seq: run.seq, port: output.port, count: output.count };

const outputRefs = (run: RunRecord): OutputRef[] => run.outputs.flatMap((output) => (output.count > 0 ? [refOf(run, output)] : []));
