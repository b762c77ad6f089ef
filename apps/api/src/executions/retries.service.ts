import { Injectable } from '@nestjs/common';
import { carryOn, ROOT, type Cell, type JsonObject, type LinkedProgram } from '@app/engine';
import { Store, type ExecutionRecord, type OpenActivationRecord, type RunRecord } from '@app/store';
import { conflict } from '../problems/api-problem.ts';
import { WorkflowLookup } from '../workflows/workflow-lookup.ts';
import { allRuns } from './execution-history.ts';
import { executionDetail, statusName } from './execution-view.ts';
import { ExecutionsService } from './executions.service.ts';
import { limited } from './limited-program.ts';
import { RunnableVersions, type RunnableVersion } from './runnable-versions.ts';
import { StartsService, ofVersion, type Accepted } from './starts.service.ts';

/** Runs an execution that did not succeed once more, as a new one. */
@Injectable()
export class RetriesService {
  constructor(
    private readonly store: Store,
    private readonly executions: ExecutionsService,
    private readonly workflows: WorkflowLookup,
    private readonly versions: RunnableVersions,
    private readonly starts: StartsService,
  ) {}

  /** With the version that ran, or with the newest one. Takes up at the nodes that failed where it can, else at the beginning. */
  async retry(id: string, isNewestWanted: boolean): Promise<JsonObject> {
    const before = await this.executions.find(id);
    if (before.status !== 'failed' && before.status !== 'canceled')
      throw conflict(
        'not_retryable',
        `Execution ${id} has the status "${statusName(before)}"; only one that failed or was canceled can be retried.`,
        'Start the workflow again instead.',
      );
    const runs: RunRecord[] = [];
    for await (const page of allRuns(this.store, id)) runs.push(...page);
    const open = await this.store.listOpenActivations(id);
    const ran = await this.versions.get(before.versionId);
    const version = isNewestWanted ? await this.versions.get((await this.workflows.current(before.workflowId)).versionId) : ran;
    const { id: retriedAs } = (await this.#carryOn(before, ran, version, runs, open)) ?? (await this.#startOver(before, ran, version, runs, open));
    return executionDetail(await this.executions.find(retriedAs));
  }

  async #carryOn(
    before: ExecutionRecord,
    ran: RunnableVersion,
    version: RunnableVersion,
    runs: readonly RunRecord[],
    open: readonly OpenActivationRecord[],
  ): Promise<Accepted | undefined> {
    const snapshot = await this.store.readSnapshot(before.id);
    if (!snapshot || !isSameGraph(ran.program, version.program)) return undefined;
    const carried = carryOn(limited(version.program, before.options), { executionId: before.id, runs, open, snapshot });
    if (!carried) return undefined;
    const continues = { executionId: before.id, snapshot: carried.snapshot, runs: carried.runs, cells: await this.#cells(before.id, version.program) };
    return await this.starts.create(
      { ...ofVersion(version), mode: 'retry', startItems: [], options: before.options, retryOf: before.id, traceparent: before.traceparent ?? undefined, continues },
      carried.decide,
    );
  }

  async #startOver(before: ExecutionRecord, ran: RunnableVersion, version: RunnableVersion, runs: readonly RunRecord[], open: readonly OpenActivationRecord[]): Promise<Accepted> {
    const first = [...runs, ...open].filter((run) => run.cause === 'start' && run.scope === ROOT);
    if (first.length === 0) throw conflict('never_began', `Execution ${before.id} ended before its first node.`, 'Mend the workflow and start it again.');
    const starts = [];
    for (const { node, inputs } of first) {
      const ref = inputs[0]?.ref;
      const name = ran.program.nodes[node]?.name ?? '';
      const found = version.program.nodeByName(name);
      if (!found)
        throw conflict(
          'start_gone',
          `Execution ${before.id} began at node "${name}", which the workflow no longer has.`,
          'Retry with the version that failed, or start the workflow again.',
        );
      const [items = [{ json: {} }]] = ref ? await this.store.loadItems(before.id, [ref]) : [];
      starts.push({ node: found.index, items });
    }
    // Node indexes of a limited run belong to the version that ran.
    const options = version.id === ran.id ? before.options : {};
    return await this.starts.begin({ version, starts, options }, { mode: 'retry', retryOf: before.id, traceparent: before.traceparent ?? undefined });
  }

  async #cells(executionId: string, program: LinkedProgram): Promise<Cell[]> {
    return await this.store.loadCells(executionId, ROOT, [-1, ...program.nodes.map(({ index }) => index)]);
  }
}

/** Whether tokens and run indexes of one version mean the same in another: only parameters and settings may differ. */
function isSameGraph(a: LinkedProgram, b: LinkedProgram): boolean {
  const graphOf = ({ nodes, edges }: LinkedProgram) =>
    JSON.stringify([nodes.map(({ name, kind, ports, slots, groups }) => [name, kind, ports.length, slots, groups]), edges.map(({ from, to, kind }) => [from, to, kind])]);
  return a === b || graphOf(a) === graphOf(b);
}
