import { activationId, sameActivation, START_PORT, type ActivationKey, type Cell, type Item, type OutputRef } from '@app/engine';
import type { ExecutionFilter, ExecutionRecord, Page, RunRecord } from '../records.ts';
import type { MemoryExecutions } from './memory-executions.ts';
import { pageOf } from './page-of.ts';

/** Reads: payloads, what ran, what is listed. */
export class MemoryHistory {
  constructor(private readonly executions: MemoryExecutions) {}

  items(executionId: string, ref: OutputRef): Item[] {
    const execution = this.executions.require(ref.execution ?? executionId);
    const { retryOf } = execution.record;
    // A retry refers to what the execution it goes on from began with.
    if (ref.port === START_PORT && retryOf !== null && !execution.holds(ref)) return this.items(retryOf, { ...ref, execution: retryOf });
    const items = execution.readItems(ref, (other) => this.items(ref.execution ?? executionId, other));
    return ref.restamp === undefined ? items : items.map((item, index) => ({ ...item, pairedItem: ref.restamp ? { item: index, input: ref.restamp } : { item: index } }));
  }

  runs(executionId: string, keys: readonly ActivationKey[]): RunRecord[] {
    const execution = this.executions.require(executionId);
    return keys.flatMap((key) => execution.runs.get(activationId(executionId, key)) ?? []);
  }

  runsOfNodes(executionId: string, scope: string, nodes: readonly number[]): RunRecord[] {
    return [...this.executions.require(executionId).runs.values()].filter((run) => run.scope === scope && nodes.includes(run.node)).sort((a, b) => a.node - b.node || a.seq - b.seq);
  }

  runsAfter(executionId: string, after: number, limit: number): RunRecord[] {
    return [...this.executions.require(executionId).runs.values()].filter((run) => run.commit > after).sort((a, b) => a.commit - b.commit || a.node - b.node).slice(0, limit);
  }

  cells(executionId: string, scope: string, nodes: readonly number[]): Cell[] {
    return [...this.executions.require(executionId).cells.values()].filter((cell) => cell.scope === scope && nodes.includes(cell.node));
  }

  list(filter: ExecutionFilter): Page<ExecutionRecord> {
    const rows = this.records()
      .reverse()
      .filter((record) => !filter.statuses || filter.statuses.includes(record.status))
      .filter((record) => filter.workflowId === undefined || record.workflowId === filter.workflowId)
      .filter((record) => filter.project === undefined || record.project === filter.project)
      .filter((record) => filter.startedAfter === undefined || (record.startedAt ?? 0) > filter.startedAfter)
      .filter((record) => filter.startedBefore === undefined || (record.startedAt ?? Infinity) < filter.startedBefore);
    return pageOf(rows, filter.limit, filter.cursor);
  }

  children(executionId: string, activation: ActivationKey): ExecutionRecord[] {
    return this.records()
      .filter(({ parent }) => parent?.executionId === executionId && sameActivation(parent.activation, activation))
      .sort((a, b) => a.parent!.index - b.parent!.index);
  }

  private records(): ExecutionRecord[] {
    return [...this.executions.values()].map((execution) => execution.toRecord());
  }
}
