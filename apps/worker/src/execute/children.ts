import { emptySnapshot, link, step, timeoutOf, type Item, type JsonObject, type OutputRef } from '@app/engine';
import { n8n, orderRuns } from '@app/dialects';
import { programIssues, type ChildCall, type ChildEnd } from '@app/nodes';
import type { ChildExecution, ClaimedActivation, ExecutionRecord, VersionRecord } from '@app/store';
import { createHash } from 'node:crypto';
import type { LoadedProgram } from '../program-cache.ts';
import type { WorkerKit } from '../worker-kit.ts';

/** How deep workflows may call each other. */
const MAX_DEPTH = 20;

/** The workflow that a node calls cannot be called. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
  readonly code = 'call_refused';
  readonly retryable = false;
}

/** Turns the calls of a node into executions to be created with its commit. */
export async function planChildren(calls: readonly ChildCall[], wait: boolean, program: LoadedProgram, activation: ClaimedActivation, kit: WorkerKit): Promise<ChildExecution[]> {
  const depth = Number(activation.options['depth'] ?? 0) + 1;
  if (depth > MAX_DEPTH) throw new CallRefused(`Workflows call each other more than ${MAX_DEPTH} levels deep. Does "${program.workflow.name}" call itself without an end?`);
  const { root: known } = activation.options;
  const family = { depth, root: typeof known === 'string' ? known : activation.executionId };
  if (!(await kit.families.admits(family.root, calls.length)))
    throw new CallRefused(`Execution ${family.root} and what it called have started ${kit.settings.maxFamily} executions, which is the most that is allowed. Does "${program.workflow.name}" call itself without an end? Otherwise raise MAX_CALLED_EXECUTIONS of the workers, or give one call several items.`);
  return Promise.all(calls.map((call, index) => planChild(call, index, wait, family, activation, kit)));
}

/** Where an execution stands in its tree of calls. */
interface FamilyPlace {
  readonly depth: number;
  readonly root: string;
}

async function planChild(call: ChildCall, index: number, wait: boolean, { depth, root }: FamilyPlace, activation: ClaimedActivation, kit: WorkerKit): Promise<ChildExecution> {
  const version = await versionOf(call, activation, kit);
  const linked = link(version.program);
  const begin = n8n.start(version.program, version.document, { mode: 'integrated' }, { nodes: kit.nodes });
  if (begin.kind === 'refused') throw new CallRefused(`The called workflow cannot start: ${begin.problem.message}`);
  const node = begin.nodes[0]!;
  const issues = programIssues(version.program, begin.nodes, null, kit.nodes);
  const input: OutputRef = { scope: '', node, seq: 0, port: -1, count: call.items.length };
  return {
    execution: {
      workflowId: version.workflowId,
      versionId: version.id,
      mode: 'integrated',
      startItems: [{ node, items: call.items }],
      timeoutMs: timeoutOf(version.program),
      root,
      options: { depth, root },
      parent: wait ? { executionId: activation.executionId, activation: { scope: activation.scope, node: activation.node, seq: activation.seq }, index } : null,
      ...(activation.traceparent !== null && { traceparent: activation.traceparent }),
    },
    decide: (snapshot, now) =>
      issues.length > 0
        ? step(linked, snapshot, { kind: 'execution-refused', error: { message: issues.join('\n'), code: 'workflow_has_issues' } }, now)
        : step(linked, snapshot ?? emptySnapshot(), { kind: 'execution-started', starts: [{ node, input }] }, now),
  };
}

async function versionOf(call: ChildCall, activation: ClaimedActivation, kit: WorkerKit): Promise<VersionRecord> {
  if ('document' in call.workflow) return inlineVersion(call.workflow.document, kit);
  const { id } = call.workflow;
  const workflow = await kit.store.findWorkflow(id);
  if (!workflow) throw new CallRefused(`The called workflow ${id} does not exist.`);
  // Test runs call the draft, production calls what is published.
  const versionId = activation.mode === 'manual' ? workflow.versionId : (workflow.activeVersionId ?? workflow.versionId);
  const version = await kit.store.findVersion(versionId);
  if (!version) throw new CallRefused(`Version ${versionId} of the called workflow ${id} does not exist.`);
  return version;
}

/** A workflow given as a document becomes a stored one, named by its content, so that it is stored once. */
async function inlineVersion(document: JsonObject, kit: WorkerKit): Promise<VersionRecord> {
  const compiled = n8n.compile(document, { nodes: kit.nodes });
  if (!compiled.program) throw new CallRefused(`The called workflow is not valid: ${compiled.problems.filter((problem) => problem.severity === 'error').map((problem) => problem.message).join(' ')}`);
  const id = `inline-${createHash('sha256').update(JSON.stringify(document)).digest('hex').slice(0, 24)}`;
  const known = await kit.store.findWorkflow(id);
  const workflow = known ?? (await kit.store.saveWorkflow({ id, name: compiled.program.name || 'Inline workflow', document, version: { dialect: n8n.name, program: compiled.program } }));
  return (await kit.store.findVersion(workflow.versionId))!;
}

/** How the children of an activation ended, with the items of their last nodes. */
export async function childEnds(activation: ClaimedActivation, kit: WorkerKit): Promise<ChildEnd[]> {
  const all = await kit.store.listChildren(activation.executionId, activation);
  // Each try calls anew, from the first call on, and only when the one before has ended: the latest counts.
  const latest = Math.max(...all.flatMap(({ createdAt, parent }) => (parent?.index === 0 ? [createdAt] : [])));
  const children = all.filter(({ createdAt }) => createdAt >= latest);
  return Promise.all(children.map((child) => childEnd(child, kit)));
}

async function childEnd(child: ExecutionRecord, kit: WorkerKit): Promise<ChildEnd> {
  const base = { executionId: child.id, workflowId: child.workflowId };
  if (child.status !== 'succeeded') return { ...base, status: child.status === 'canceled' ? 'canceled' : 'error', outputs: [], error: { message: child.error?.message ?? `The called execution was ${child.status}.`, ...(child.error?.name !== undefined && { name: child.error.name }) } };
  const loaded = await kit.programs.get(child.versionId, child.options);
  const runs = orderRuns(loaded.program, (await kit.store.listRuns(child.id, -1, 100_000)).filter((run) => run.status !== 'void' && run.status !== 'skipped'));
  const last = runs.at(-1);
  if (!last) return { ...base, status: 'success', outputs: [] };
  const counted = returnsAllRuns(loaded) ? runs.filter((run) => run.node === last.node) : [last];
  const history = kit.histories.of(child.id);
  const outputs: Item[][] = [];
  for (const run of counted) {
    for (const output of run.outputs) {
      while (outputs.length <= output.port) outputs.push([]);
      if (output.count === 0) continue;
      const ref = output.ref ?? { scope: run.scope, node: run.node, seq: run.seq, port: output.port, count: output.count };
      await history.load(loaded.program, [ref]);
      outputs[output.port]!.push(...history.known(ref)!);
    }
  }
  return { ...base, status: 'success', outputs };
}

/** Newer called workflows give the items of all runs of their last node, older ones those of the last run. */
function returnsAllRuns({ program }: LoadedProgram): boolean {
  const trigger = program.nodes.find((node) => node.type === 'n8n-nodes-base.executeWorkflowTrigger' && !node.attributes['disabled']);
  return trigger !== undefined && (trigger.version >= 1.2 || trigger.parameters['returnOutput'] === 'allRuns');
}
