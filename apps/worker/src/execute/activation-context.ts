import type { Cell, Effect, Item, Json, JsonObject, Outcome, OutputRef, PortOutput, Source } from '@app/engine';
import { ParameterResolver } from '@app/expressions';
import type { ChildEnd, CodeRequest, CodeResult, NodeContext } from '@app/nodes';
import type { ClaimedActivation, StaticDataChange } from '@app/store';
import type { LoadedProgram } from '../program-cache.ts';
import type { WorkerKit } from '../worker-kit.ts';
import { childEnds } from './children.ts';
import { credentialOf } from './credentials.ts';
import { ExecutionFacts } from './execution-facts.ts';
import type { LoadedInputs } from './inputs.ts';
import type { PreparedNode } from './prepared-node.ts';
import { StaticDataSession } from './static-data.ts';

/** Everything that a node sees while it runs, and what it leaves behind for the commit. */
export class ActivationContext implements NodeContext {
  readonly abort = new AbortController();
  readonly node: NodeContext['node'];
  readonly workflow: NodeContext['workflow'];
  readonly execution: NodeContext['execution'];
  readonly runIndex: number;
  readonly attempt: number;
  readonly continueOnFail: boolean;
  readonly state: JsonObject;
  readonly deadline: number;
  private readonly logs: string[] = [];
  private readonly appended: { list: string; input: number }[] = [];
  private readonly custom: { [key: string]: string } = {};
  private readonly stateBefore: string;
  private readonly began = performance.now();

  static async create(program: LoadedProgram, prepared: PreparedNode, activation: ClaimedActivation, inputs: LoadedInputs, _signal: AbortSignal, kit: WorkerKit): Promise<ActivationContext> {
    const cells = prepared.usesState ? await kit.store.loadCells(activation.executionId, activation.scope, [activation.node]) : [];
    const statics = await StaticDataSession.open(prepared, activation, kit.store);
    const facts = await ExecutionFacts.load(program, prepared, activation, inputs, statics, kit);
    const children = activation.resume?.cause === 'children' ? await childEnds(activation, kit) : null;
    const context = new ActivationContext(program, prepared, activation, inputs, kit, facts, statics, stateOf(cells), children);
    await context.resolver.prepare(Math.max(0, ...inputs.counts));
    return context;
  }

  private readonly resolver: ParameterResolver;

  private constructor(
    program: LoadedProgram,
    private readonly prepared: PreparedNode,
    private readonly activation: ClaimedActivation,
    private readonly inputItems: LoadedInputs,
    private readonly kit: WorkerKit,
    private readonly facts: ExecutionFacts,
    private readonly statics: StaticDataSession,
    state: JsonObject,
    readonly children: readonly ChildEnd[] | null,
  ) {
    const { node } = prepared;
    this.node = { id: node.id, name: node.name, type: node.type, version: node.version, rawParameters: node.parameters };
    this.workflow = facts.workflow;
    this.execution = { id: activation.executionId, mode: activation.mode };
    this.runIndex = activation.seq;
    this.attempt = activation.attempt;
    this.continueOnFail = node.attributes['onError'] !== undefined;
    this.state = state;
    this.stateBefore = JSON.stringify(state);
    this.deadline = activation.executionDeadline ?? activation.claimedAt + kit.settings.nodeDeadlineMs;
    this.resolver = new ParameterResolver({ data: facts, parameters: prepared.parameters, sandbox: kit.sandbox });
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  items(input = 0): Item[] {
    return this.inputItems.items[input] ?? [];
  }

  inputs(): (Item[] | null)[] {
    return [...this.inputItems.items];
  }

  inputCount(input = 0): number {
    return this.inputItems.counts[input] ?? 0;
  }

  source(input = 0): Source | null {
    return this.inputItems.sources[input] ?? null;
  }

  parameter<T = Json>(name: string, itemIndex: number, fallback?: T): T {
    return (this.resolver.get(name, itemIndex) ?? fallback) as T;
  }

  rawParameter<T = Json>(name: string, fallback?: T): T {
    return (this.resolver.raw(name) ?? fallback) as T;
  }

  evaluate(expression: string, itemIndex: number, variables?: JsonObject): Promise<Json> {
    return this.resolver.evaluate(expression, itemIndex, variables);
  }

  async runCode(request: CodeRequest): Promise<CodeResult> {
    const { results, logs, staticData, customData } = await this.kit.sandbox.runCode({ ...request, signal: this.signal }, this.facts);
    if (staticData) this.statics.replace(staticData);
    for (const [key, value] of Object.entries(customData ?? {})) this.setCustomData(key, value);
    this.logs.push(...logs);
    return { results, logs };
  }

  staticData(scope: 'global' | 'node'): JsonObject {
    return this.statics.of(scope);
  }

  appendInput(list: string, input = 0): void {
    this.appended.push({ list, input });
  }

  rememberInput(key: string, input = 0): void {
    this.state[key] = (this.activation.inputs[input]?.ref ?? null) as unknown as Json;
  }

  async readSlice(key: string, from: number, to: number): Promise<Item[]> {
    const ref = this.state[key] as unknown as OutputRef | null;
    if (!ref) return [{ json: {} }].slice(from, to);
    return this.kit.store.loadSlice(this.activation.executionId, ref, from, to);
  }

  setCustomData(key: string, value: string): void {
    this.custom[key.slice(0, 50)] = String(value).slice(0, 512);
  }

  credentials(type: string): Promise<JsonObject> {
    return credentialOf(this.prepared.node, type, this.kit.credentials);
  }

  now(): number {
    return this.activation.claimedAt + Math.round(performance.now() - this.began);
  }

  idempotencyKey(itemIndex: number): string {
    return `${this.activation.id}_${itemIndex}`;
  }

  log(level: 'debug' | 'info' | 'warn' | 'error', message: string): void {
    if (this.logs.length < 1000) this.logs.push(`${level}: ${message}`);
  }

  /** What the run changed beside its outputs. */
  effects(): Effect[] {
    const effects: Effect[] = this.appended.map(({ list, input }) => ({ kind: 'append', list, input }));
    if (JSON.stringify(this.state) !== this.stateBefore) effects.push({ kind: 'setCell', node: this.prepared.node.index, name: 'context', value: this.state });
    return [...effects, ...this.statics.cellEffects()];
  }

  async withEffects(outcome: Outcome): Promise<Outcome> {
    if (outcome.kind !== 'done') return outcome;
    const outputs = await Promise.all(outcome.outputs.map(async (output) => (output.list === undefined ? output : this.countList(output))));
    return { ...outcome, outputs, effects: this.effects() };
  }

  /** How many items a list has after this run: the entries it had, and those the run appends. */
  private async countList(output: PortOutput): Promise<PortOutput> {
    const entries = await this.kit.store.loadList(this.activation.executionId, this.activation.scope, this.activation.node, output.list!);
    const before = entries.reduce((sum, entry) => sum + (entry.ref?.count ?? 1), 0);
    const added = this.appended.filter(({ list }) => list === output.list).reduce((sum, { input }) => sum + this.inputCount(input), 0);
    return { ...output, count: before + added };
  }

  extra(): { staticData?: readonly StaticDataChange[]; customData?: { [key: string]: string }; logs?: readonly string[] } {
    const staticData = this.statics.changes();
    return {
      ...(staticData.length > 0 && { staticData }),
      ...(Object.keys(this.custom).length > 0 && { customData: this.custom }),
      ...(this.logs.length > 0 && { logs: this.logs }),
    };
  }

}

function stateOf(cells: readonly Cell[]): JsonObject {
  const cell = cells.find(({ name }) => name === 'context');
  return cell ? structuredClone(cell.value as JsonObject) : {};
}
