import { Injectable } from '@nestjs/common';
import { Dispatch } from '@app/dispatch';
import { isTerminal, type JsonObject } from '@app/engine';
import { noteEnded, Store, type ExecutionFilter, type ExecutionRecord } from '@app/store';
import { Telemetry } from '@app/telemetry';
import { isExecutionId } from '../http-schemas.ts';
import { conflict, notFound } from '../problems/api-problem.ts';
import type { ExecutionListQuery, ExecutionQuery, StopManyInput } from './execution-queries.ts';
import { ExecutionReader } from './execution-reader.ts';
import { executionDetail, executionRow, statusesNamed, statusName, stoppedRow } from './execution-view.ts';

/** Items in one answer; an item of 1 kB makes that 50 MB of JSON. `ignoreDataSizeLimit` allows ten times as many. */
const mostItemsPerAnswer = 50_000;
/** Executions stopped by one request; whoever has more asks again. */
const mostStopped = 10_000;

@Injectable()
export class ExecutionsService {
  constructor(
    private readonly store: Store,
    private readonly reader: ExecutionReader,
    private readonly dispatch: Dispatch,
    private readonly telemetry: Telemetry,
  ) {}

  async list(query: ExecutionListQuery): Promise<{ data: readonly JsonObject[]; nextCursor: string | null }> {
    const { limit, cursor, status, workflowId, projectId: project, startedAfter, startedBefore } = query;
    const statuses = status && statusesNamed(status);
    if (statuses?.length === 0) return { data: [], nextCursor: null };
    const page = await this.store.listExecutions({ limit, cursor, statuses, workflowId, project, startedAfter, startedBefore });
    // `error` and `crashed` are one status in the store, told apart by the cause: such a page may be short.
    const records = page.rows.filter((record) => status === undefined || statusName(record) === status);
    return { data: await this.#rows(records, query), nextCursor: page.nextCursor };
  }

  async get(id: string, query: ExecutionQuery): Promise<JsonObject> {
    const record = await this.find(id);
    const { data } = await this.#withData(executionDetail(record), record, query, mostItems(query));
    return data;
  }

  async delete(id: string): Promise<JsonObject> {
    await this.find(id);
    return executionDetail(await this.store.deleteExecution(id));
  }

  async stop(id: string): Promise<JsonObject> {
    const before = await this.find(id);
    if (isTerminal(before.status) || (await this.#end([id])) === 0) throw ended(await this.find(id));
    return stoppedRow(await this.find(id));
  }

  /** As `stop`, but content when it had been canceled already: a request that is repeated gets the same answer. */
  async cancel(id: string): Promise<JsonObject> {
    if (!isTerminal((await this.find(id)).status)) await this.#end([id]);
    const after = await this.find(id);
    if (after.status !== 'canceled') throw ended(after);
    return { id, status: statusName(after) };
  }

  async stopMany(input: StopManyInput): Promise<{ stopped: number }> {
    const { workflowId, startedAfter, startedBefore } = input;
    const filter: ExecutionFilter = { limit: 250, statuses: input.status, workflowId, startedAfter, startedBefore };
    let stopped = 0;
    let seen = 0;
    for (let cursor: string | null | undefined; cursor !== null && seen < mostStopped;) {
      const page = await this.store.listExecutions({ ...filter, cursor });
      stopped += await this.#end(page.rows.map((record) => record.id));
      seen += page.rows.length;
      cursor = page.nextCursor;
    }
    return { stopped };
  }

  async find(id: string): Promise<ExecutionRecord> {
    const record = isExecutionId(id) ? await this.store.findExecution(id) : undefined;
    if (!record) throw notFound('execution', id, 'GET /api/v1/executions lists those there are; ids are digits.');
    return record;
  }

  /** How many of these were open until now. */
  async #end(ids: readonly string[]): Promise<number> {
    const ended = await this.store.cancel(ids, 'user', null);
    // Not awaited, as with starts: whoever waited for them is found by the sweeps too.
    void this.dispatch.send(noteEnded(this.telemetry, ended));
    const asked = new Set(ids);
    return ended.executionIds.filter((id) => asked.has(id)).length;
  }

  async #rows(records: readonly ExecutionRecord[], query: ExecutionListQuery): Promise<JsonObject[]> {
    const rows: JsonObject[] = [];
    let left = mostItems(query);
    // One after the other: a page of large executions must not be in memory twice.
    for (const record of records) {
      const { data, items } = await this.#withData(executionRow(record), record, query, left);
      rows.push(data);
      left -= items;
    }
    return rows;
  }

  async #withData(row: JsonObject, record: ExecutionRecord, { includeData, redactExecutionData }: ExecutionQuery, mostItems: number): Promise<{ data: JsonObject; items: number }> {
    if (!includeData || redactExecutionData) return { data: row, items: 0 };
    const contents = await this.reader.read(record, mostItems);
    if (contents.kind === 'tooLarge') return { data: { ...row, dataTooLargeToDisplay: true }, items: 0 };
    return { data: { ...row, data: contents.data, workflowData: { id: record.workflowId, ...contents.document } }, items: contents.items };
  }
}

const mostItems = ({ ignoreDataSizeLimit }: ExecutionQuery): number => mostItemsPerAnswer * (ignoreDataSizeLimit ? 10 : 1);

function ended(record: ExecutionRecord) {
  return conflict('already_ended', `Execution ${record.id} has ended already, with status "${statusName(record)}".`, 'Nothing needs to be stopped.');
}
