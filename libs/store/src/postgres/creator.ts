import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../errors.ts';
import type { CreatedExecution, NewExecution } from '../records.ts';
import type { Decide } from '../store.ts';
import type { Outcome } from './batcher.ts';
import { BEGIN, COMMIT, ROLLBACK, type Connection } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { decideCreation, writeCreation, type Creation, type InheritedList } from './creation.ts';
import { failureOf } from './failure.ts';
import type { IdSource } from './id-source.ts';
import type { PayloadCache } from './payload-cache.ts';
import { findKeys, takeKeys, type KeyRow } from './statements/idempotency.ts';
import { findExecutionIds } from './statements/read-executions.ts';
import { StepWrites } from './step-writes.ts';
import type { StoreClock } from './store-clock.ts';

export interface CreateEntry {
  readonly request: NewExecution;
  readonly decide: Decide;
  readonly lists: readonly InheritedList[];
}

interface Pending {
  readonly entry: CreateEntry;
  creation: Creation | null;
  outcome: Outcome<CreatedExecution> | null;
}

/** Accepts a batch of executions in one transaction: one round trip, or two when some bring idempotency keys. */
export class Creator {
  constructor(private readonly parts: { readonly pool: ConnectionPool; readonly clock: StoreClock; readonly ids: IdSource; readonly cache: PayloadCache; readonly patienceMs: number }) {}

  async run(entries: readonly CreateEntry[]): Promise<Outcome<CreatedExecution>[]> {
    const deadline = performance.now() + this.parts.patienceMs;
    const pending = entries.map((entry): Pending => ({ entry, creation: null, outcome: null }));
    await this.create(pending, deadline);
    return pending.map(({ outcome }) => outcome!);
  }

  private async create(all: readonly Pending[], deadline: number): Promise<void> {
    for (let open = all, round = 0; open.length > 0; open = open.filter(({ outcome }) => !outcome), round++) {
      for (const item of open) this.decide(item);
      const decided = open.filter(({ outcome }) => !outcome);
      try {
        if (decided.length > 0) await this.parts.pool.use((connection) => this.transact(connection, decided));
      } catch (error) {
        const failure = failureOf(error);
        const clash = (error as { code?: string }).code === '23505';
        if (failure === 'lost') await this.afterLoss(decided, deadline, error, round);
        else if (failure === 'fatal' && decided.length > 1 && !clash) for (const item of decided) await this.create([item], deadline);
        else if ((failure === 'fatal' && !clash) || round > 5) for (const item of decided) item.outcome = { error };
      }
    }
  }

  /** Decided anew for every try: a new id costs nothing and an old one may have been the reason. */
  private decide(item: Pending): void {
    try {
      item.creation = decideCreation(this.parts.ids.next(), item.entry.request, item.entry.decide, this.parts.clock.now());
    } catch (error) {
      item.outcome = { error };
    }
  }

  private async transact(connection: Connection, items: readonly Pending[]): Promise<void> {
    try {
      const keys = items.flatMap(keyOf).sort((a, b) => (a.workflowId === b.workflowId ? (a.key < b.key ? -1 : 1) : a.workflowId < b.workflowId ? -1 : 1));
      const begun = keys.length > 0 ? await connection.send([BEGIN, takeKeys(keys)]) : null;
      const took = new Set(begun?.[1]?.rows.map((row) => row['execution_id'] as string));
      const winners = items.filter((item) => keyOf(item).length === 0 || took.has(item.creation!.executionId));
      const writes = new StepWrites();
      for (const { creation, entry } of winners) {
        creation!.ready.length = 0;
        writeCreation(writes, creation!, entry.lists);
      }
      await connection.send([...(begun ? [] : [BEGIN]), ...writes.writes().map(({ query }) => query), COMMIT]);
      writes.remember(this.parts.cache);
      for (const { creation, item } of winners.map((winner) => ({ item: winner, creation: winner.creation! }))) item.outcome = created(creation);
      await this.findOwners(connection, items.filter(({ outcome }) => !outcome));
    } catch (error) {
      if (!connection.broken) await connection.send([ROLLBACK]).catch(() => {});
      throw error;
    }
  }

  /** Whoever came second gets the execution of the first. A key that has vanished meanwhile is taken in the next round. */
  private async findOwners(connection: Connection, losers: readonly Pending[]): Promise<void> {
    if (losers.length === 0) return;
    const [owners] = await connection.send([findKeys(losers.flatMap(keyOf))]);
    const ids = new Map(owners!.rows.map((row) => [`${String(row['workflow_id'])} ${String(row['key'])}`, row['execution_id'] as string]));
    for (const loser of losers) {
      const { request } = loser.entry;
      const id = ids.get(`${request.workflowId} ${request.idempotencyKey!.replaceAll('\0', '�')}`);
      if (id) loser.outcome = { result: { id, existing: true, ready: [] } };
    }
  }

  /** The ids are ours alone: the executions that exist under them were committed. */
  private async afterLoss(items: readonly Pending[], deadline: number, cause: unknown, round: number): Promise<void> {
    for (let wait = round; ; wait++) {
      if (performance.now() > deadline) {
        for (const item of items) item.outcome = { error: new StoreUnavailable('accept an execution', cause) };
        return;
      }
      await sleep(Math.min(1_000, 20 * 2 ** Math.min(wait, 6)));
      try {
        const { rows } = await this.parts.pool.ask(findExecutionIds(items.map(({ creation }) => creation!.executionId)));
        const found = new Set(rows.map((row) => row['execution_id'] as string));
        for (const item of items) if (found.has(item.creation!.executionId)) item.outcome = created(item.creation!);
        return;
      } catch (error) {
        if (failureOf(error) !== 'lost') throw error;
      }
    }
  }
}

const created = ({ executionId, ready }: Creation): Outcome<CreatedExecution> => ({ result: { id: executionId, existing: false, ready } });

function keyOf({ entry: { request }, creation }: Pending): KeyRow[] {
  return request.idempotencyKey === undefined ? [] : [{ workflowId: request.workflowId, key: request.idempotencyKey, executionId: creation!.executionId }];
}
