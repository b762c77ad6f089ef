import { START_PORT, link, restrict, step, timeoutOf, type Event, type JsonObject, type OutputRef } from '@app/engine';
import { executionView, n8n } from '@app/dialects';
import { MemoryDispatch } from '@app/dispatch';
import { catalogue, programIssues } from '@app/nodes';
import { MemoryStore } from '@app/store';
import { SilentTelemetry } from '@app/telemetry';
import { createKit } from '../../../apps/worker/src/create-kit.ts';
import type { CredentialReader } from '../../../apps/worker/src/execute/credentials.ts';
import { Worker } from '../../../apps/worker/src/worker.ts';
import { CASE_LIMIT_MS, SHORT_WAIT_MS, StartRefused, type ExecutionDetail, type Fleet, type Switches } from './fleet.ts';
import type { TestCase } from './test-case.ts';

const OPEN = new Set(['queued', 'running']);
const STATUS: { readonly [ours: string]: string } = { succeeded: 'success', failed: 'error' };

/** API and workers in this process, over the memory store: the same engine, dialect, nodes and worker code. */
export async function memoryFleet(guestSource: string): Promise<Fleet> {
  const store = new MemoryStore(() => Date.now());
  const dispatch = new MemoryDispatch();
  const nodes = catalogue();
  let stored: TestCase['credentials'] = [];
  const credentials: CredentialReader = async ({ id, type }) => structuredClone(stored?.find((one) => one.id === id && one.type === type)?.data);
  const kit = createKit({ workerId: 'memory', store, dispatch, nodes, telemetry: new SilentTelemetry(), guestSource, report: () => {}, credentials });
  const worker = new Worker(kit, { slots: 8, queues: ['default'], pollMs: 20, idlePollMs: 20, graceMs: 100, sweep: { intervalMs: 20, limit: 1000, maxLosses: 3, announceAfterMs: 5000 } });
  worker.start();

  const settle = async (id: string): Promise<void> => {
    // An execution that waits for a child is as busy as its child: cases run alone, so any open one counts.
    const isGoing = async (): Promise<boolean> => {
      const soon = (await store.now()) + SHORT_WAIT_MS;
      const { rows } = await store.listExecutions({ limit: 10, statuses: ['queued', 'running', 'waiting'] });
      const { status } = (await store.findExecution(id))!;
      return OPEN.has(status) || (status === 'waiting' && rows.some((row) => OPEN.has(row.status) || (row.waitTill !== null && row.waitTill < soon)));
    };
    for (let waited = 0; await isGoing(); waited += 2) {
      if (waited > CASE_LIMIT_MS) throw new Error('The execution did not end in time.');
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };

  return {
    storesCredentials: true,
    async save(testCase, scheduling, switches: Switches) {
      stored = testCase.credentials;
      const compiled = n8n.compile(testCase.workflow, { nodes, scheduling, switches });
      if (!compiled.program) throw new Error(compiled.problems.map((problem) => `${problem.path}: ${problem.message}`).join('\n'));
      const record = await store.saveWorkflow({ name: testCase.workflow.name, document: testCase.workflow, version: { dialect: 'n8n', program: compiled.program } });
      await store.publishVersion(record.id, record.versionId);
      return record.id;
    },
    async run(workflowId, testCase: TestCase) {
      const workflow = (await store.findWorkflow(workflowId))!;
      const version = (await store.findVersion(workflow.versionId))!;
      const { start } = testCase;
      const begin = n8n.start(version.program, version.document, { mode: start.mode, ...(start.node !== undefined && { node: start.node }), ...(start.destination !== undefined && { destination: start.destination }) }, { nodes });
      if (begin.kind === 'refused') throw new StartRefused(begin.problem.message);
      const only = Array.isArray(begin.options['only']) ? new Set(begin.options['only'] as number[]) : null;
      const program = link(restrict(version.program, only, typeof begin.options['stopAt'] === 'number' ? begin.options['stopAt'] : null));
      const issues = programIssues(version.program, begin.nodes, only, nodes);
      const given = start.items ?? (start.mode === 'manual' ? null : [{ json: {} }]);
      const starts = begin.nodes.map((node) => ({ node, input: given && ({ scope: '', node, seq: 0, port: START_PORT, count: given.length } satisfies OutputRef) }));
      const event: Event = issues.length > 0 ? { kind: 'execution-refused', error: { message: issues.join('\n'), code: 'workflow_has_issues' } } : { kind: 'execution-started', starts };
      const created = await store.createExecution(
        { workflowId, versionId: version.id, mode: start.mode, startItems: given ? begin.nodes.map((node) => ({ node, items: given })) : [], timeoutMs: timeoutOf(version.program), options: begin.options },
        (snapshot, now) => step(program, snapshot, event, now),
      );
      await dispatch.send(created.ready);
      await settle(created.id);
      return created.id;
    },
    async resumeByTime(id) {
      const { waitTill } = (await store.findExecution(id))!;
      store.shiftClock(waitTill === null ? 0 : Math.max(0, waitTill - (await store.now())) + 1);
      for (let tries = 0; (await store.findExecution(id))!.status === 'waiting' && tries < 1000; tries++) await new Promise((resolve) => setTimeout(resolve, 5));
      await settle(id);
    },
    async read(id): Promise<ExecutionDetail> {
      const execution = (await store.findExecution(id))!;
      const version = (await store.findVersion(execution.versionId))!;
      const runs = await store.listRuns(id, -1, 1_000_000);
      const open = await store.listOpenActivations(id);
      const refs = new Map<string, OutputRef>();
      const collect = (ref: OutputRef | null | undefined) => ref && ref.count > 0 && refs.set(JSON.stringify(ref), ref);
      for (const run of runs) for (const output of run.outputs) collect(output.ref ?? { scope: run.scope, node: run.node, seq: run.seq, port: output.port, count: output.count });
      for (const run of [...runs, ...open]) for (const input of run.inputs) collect(input?.ref);
      const snapshot = await store.readSnapshot(id);
      for (const { inputs } of snapshot?.queue ?? []) for (const input of inputs) collect(input?.ref);
      for (const { tokens } of snapshot?.tokens.values() ?? []) for (const { ref } of tokens) collect(ref);
      const list = [...refs.values()];
      const items = await store.loadItems(id, list);
      const known = new Map(list.map((ref, index) => [JSON.stringify(ref), items[index]!]));
      const view = executionView({ program: version.program, document: version.document, execution, runs, open, snapshot, cells: [], items: (ref) => known.get(JSON.stringify(ref)) });
      return { status: STATUS[execution.status] ?? execution.status, data: JSON.parse(JSON.stringify(view)) as ExecutionDetail['data'] };
    },
    async staticData(workflowId): Promise<JsonObject | null> {
      const data = await store.staticData(workflowId);
      return Object.keys(data).length > 0 ? { ...data } : null;
    },
    async stop() {
      await worker.stop();
      await dispatch.stop();
      kit.sandbox.dispose();
    },
  };
}
