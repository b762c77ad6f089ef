import { DEFAULT_POLICIES, NO_RETRY, type Edge, type ErrorPolicy, type Group, type JsonObject, type NodeDescription, type Problem, type Program, type ProgramNode, type ProgramPolicies, type RetryPolicy, type Slot, type StarvedPolicy } from '@app/engine';
import type { Compiled, CompileOptions } from '../dialect.ts';
import type { DocumentEdge, DocumentNode, WorkflowDocument } from './document.ts';
import { isRecord, readDocument } from './read.ts';
import { seesOrder } from './visible-order.ts';

/** Compiles an n8n document. Reports every problem of the document; a program is there unless one of them is an error. */
export function compile(value: unknown, given: CompileOptions): Compiled {
  const { document, problems } = readDocument(value);
  const options = { ...given, switches: given.switches ?? switchesOf(document) };
  checkTimezone(document, problems);
  const order = executionOrder(document, options, problems);
  const program = assemble(document, order, options, problems);
  return { program: problems.some((problem) => problem.severity === 'error') ? null : program, problems };
}

/** A workflow chooses n8n's literal behaviour with `settings.argosy`. */
function switchesOf({ settings }: WorkflowDocument): CompileOptions['switches'] {
  const { argosy } = settings;
  if (!isRecord(argosy)) return {};
  return {
    ...(argosy['thrownErrorOutput'] === 'main' && { thrownErrorOutput: 'main' as const }),
    ...(argosy['missingExecutionOrder'] === 'v0' && { missingExecutionOrder: 'v0' as const }),
    ...(argosy['drainAfterNull'] === false && { drainAfterNull: false }),
  };
}

function assemble(document: WorkflowDocument, order: 'v0' | 'v1', options: CompileOptions, problems: Problem[]): Program {
  const described = document.nodes.map((node) => ({ node, description: options.nodes.describe(node.type, node.typeVersion) }));
  for (const { node, description } of described) if (!description) problems.push(unknownType(node));
  const members = described.filter(({ description }) => !description?.annotation);
  const index = new Map(members.map(({ node }, at) => [node.name, at]));
  const edges = document.edges.filter((edge) => index.has(edge.source) && index.has(edge.target));
  const main = edges.filter((edge) => edge.type === 'main');

  const slots = members.map((): Slot[] => []);
  const compiled: Edge[] = edges.map((edge, at) => {
    const target = members[index.get(edge.target)!]!.node;
    const slot = edge.type === 'main' ? placeEdge(slots[index.get(edge.target)!]!, inputsOf(main, edge.target), edge.input, at) : 0;
    return {
      index: at,
      from: { node: index.get(edge.source)!, port: edge.type === 'main' ? edge.output : 0 },
      to: { node: index.get(edge.target)!, slot },
      kind: edge.type === 'main' ? 'data' : 'resource',
      rank: order === 'v1' ? [target.position[1], target.position[0]] : [at, 0],
    };
  });
  const nodes = members.map(({ node, description }, at) => programNode(node, description, at, slots[at]!, inputsOf(main, node.name), outputsOf(main, node.name), order, options));
  return { format: 1, name: document.name, nodes, edges: compiled, policies: policiesOf(document, order, compiled, nodes, options), attributes: attributesOf(document) };
}

/** Number of inputs as connected: the highest index + 1. More than one makes a node wait for all of them. */
function inputsOf(main: readonly DocumentEdge[], name: string): number {
  return main.reduce((most, edge) => (edge.target === name ? Math.max(most, edge.input + 1) : most), 0);
}

const outputsOf = (main: readonly DocumentEdge[], name: string): number => main.reduce((most, edge) => (edge.source === name ? Math.max(most, edge.output + 1) : most), 0);

/** One input: a queue for each edge, so that every arrival is a run. Several: a queue for each input, in one group. */
function placeEdge(slots: Slot[], inputs: number, input: number, edge: number): number {
  if (inputs <= 1) return slots.push({ input, edges: [edge], buffer: 'fifo', merge: 'anyEdge' }) - 1;
  while (slots.length < inputs) slots.push({ input: slots.length, edges: [], buffer: 'fifo', merge: 'anyEdge' });
  const slot = slots[input]!;
  slots[input] = { ...slot, edges: [...slot.edges, edge] };
  return input;
}

function programNode(node: DocumentNode, description: NodeDescription | undefined, index: number, slots: readonly Slot[], inputs: number, connected: number, order: 'v0' | 'v1', options: CompileOptions): ProgramNode {
  const declared = description ? description.outputs(node.typeVersion, node.parameters) : Math.max(1, connected);
  const errorOutput = node.onError === 'continueErrorOutput' ? declared : null;
  const ports = Math.max(declared + (errorOutput === null ? 0 : 1), connected, 1);
  const groups: Group[] = inputs > 1 ? [{ slots: slots.map((_, slot) => slot), needLive: 1 }] : slots.map((_, slot) => ({ slots: [slot], needLive: 1 }));
  return {
    index,
    id: node.id,
    name: node.name,
    region: null,
    kind: 'op',
    type: node.type,
    version: node.typeVersion,
    parameters: node.parameters,
    ports: Array.from({ length: ports }, (_, port) => (port === errorOutput ? 'error' : String(port))),
    slots,
    groups,
    consume: 'groupSlots',
    onStarved: inputs > 1 ? starvedPolicy(node, description, inputs, order) : { kind: 'nothing' },
    onError: onErrorOf(node),
    retry: retryOf(node),
    timeoutMs: null,
    attributes: attributesOfNode(node, errorOutput, options),
    regionSpec: null,
  };
}

/** Which inputs must be there before a waiting node may run with some of them missing. The legacy order asks for none. */
function starvedPolicy(node: DocumentNode, description: NodeDescription | undefined, connected: number, order: 'v0' | 'v1'): StarvedPolicy {
  const declared = description?.inputs(node.typeVersion, node.parameters) ?? connected;
  const inputs = Math.max(declared, connected);
  const required = order === 'v0' ? undefined : description?.requiredInputs?.(node.typeVersion, node.parameters);
  if (required === undefined) return { kind: 'fireWithMissing', atLeast: 1, slots: [], never: false, inputs };
  if (typeof required === 'number') return { kind: 'fireWithMissing', atLeast: required, slots: [], never: required >= declared, inputs };
  return { kind: 'fireWithMissing', atLeast: 1, slots: required, never: required.length >= declared, inputs };
}

const onErrorOf = (node: DocumentNode): ErrorPolicy => (node.onError === 'stopWorkflow' ? { kind: 'failRun' } : { kind: 'continue' });

function retryOf(node: DocumentNode): RetryPolicy {
  if (!node.retryOnFail) return NO_RETRY;
  const delayMs = clamp(node.waitBetweenTries || 1000, 0, 5000);
  return { tries: clamp(node.maxTries || 3, 2, 5), delayMs, factor: 1, maxDelayMs: delayMs, retrySoftFailures: true };
}

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

/** What the shell around the node reads; left out where it says nothing. */
function attributesOfNode(node: DocumentNode, errorOutput: number | null, options: CompileOptions): JsonObject {
  return {
    ...(node.disabled && { disabled: true }),
    ...(node.executeOnce && { executeOnce: true }),
    ...(node.alwaysOutputData && { alwaysOutputData: true }),
    ...(node.onError !== 'stopWorkflow' && { onError: node.onError }),
    ...(errorOutput !== null && { errorOutput }),
    ...(errorOutput !== null && options.switches?.thrownErrorOutput === 'main' && { thrownErrorOutput: 'main' }),
    ...(node.credentials && { credentials: node.credentials }),
    ...(node.webhookId && { webhookId: node.webhookId }),
  };
}

/** A time-out of more than three thousand years is none. */
const NEVER_SECONDS = 1e11;

function attributesOf({ settings, pinData }: WorkflowDocument): JsonObject {
  const { timezone, executionTimeout, errorWorkflow } = settings;
  return {
    ...(typeof timezone === 'string' && timezone !== '' && timezone !== 'DEFAULT' && { timezone }),
    ...(typeof executionTimeout === 'number' && executionTimeout > 0 && executionTimeout < NEVER_SECONDS && { executionTimeoutMs: executionTimeout * 1000 }),
    ...(typeof errorWorkflow === 'string' && { errorWorkflow }),
    ...(Object.keys(pinData).length > 0 && { pinData }),
  };
}

function policiesOf(document: WorkflowDocument, order: 'v0' | 'v1', edges: readonly Edge[], nodes: readonly ProgramNode[], options: CompileOptions): ProgramPolicies {
  const wanted = options.scheduling ?? document.settings['branchScheduling'] ?? 'auto';
  const serial = wanted === 'serial' || (wanted !== 'parallel' && (order === 'v0' || seesOrder(nodes, edges)));
  return {
    ...DEFAULT_POLICIES,
    maxConcurrency: serial ? 1 : null,
    suspendedHoldsPlace: serial,
    order: order === 'v1' ? 'depthFirst' : 'breadthFirst',
    dead: 'off',
    emptyOutput: order === 'v1' ? 'notEmitted' : 'emittedToLaterInputs',
    startUnrunSources: order === 'v0',
    drainAfterVoid: options.switches?.drainAfterNull ?? true,
  };
}

function executionOrder({ settings }: WorkflowDocument, options: CompileOptions, problems: Problem[]): 'v0' | 'v1' {
  const value = settings['executionOrder'];
  if (value === undefined || value === null) return options.switches?.missingExecutionOrder ?? 'v1';
  if (value === 'v1' || value === 'v0') return value;
  problems.push({
    severity: 'warning',
    code: 'unknown_execution_order',
    path: '$.settings.executionOrder',
    message: `The execution order ${JSON.stringify(value)} is unknown; the legacy order v0 is used, as n8n does.`,
    suggestion: 'Set it to "v1".',
  });
  return 'v0';
}

/** Refused at once: every date of such a workflow would be invalid, one run after the other. */
function checkTimezone({ settings: { timezone } }: WorkflowDocument, problems: Problem[]): void {
  if (timezone === undefined || timezone === null || timezone === '' || timezone === 'DEFAULT' || isTimezone(timezone)) return;
  problems.push({
    severity: 'error',
    code: 'unknown_timezone',
    path: '$.settings.timezone',
    message: `The time zone ${JSON.stringify(timezone).slice(0, 100)} does not exist.`,
    suggestion: 'Use a name such as "Europe/Berlin" or "UTC", or "DEFAULT".',
  });
}

function isTimezone(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  if (/^utc([+-]\d{1,2}(:\d{2})?)?$/i.test(value)) return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function unknownType(node: DocumentNode): Problem {
  return {
    severity: 'warning',
    code: 'unknown_node_type',
    path: `$.nodes[${node.at}].type`,
    message: `Node "${node.name}" has the type "${node.type}" version ${node.typeVersion}, which is not carried. The workflow runs up to it and fails there.`,
    suggestion: 'Replace the node, or disable it to let items pass.',
  };
}
