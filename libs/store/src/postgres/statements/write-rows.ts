import type { Cell, DriverState, ListAppend, QueuedFiring, ScopeState, Token } from '@app/engine';
import { attemptOutcome } from '../codes.ts';
import { packFiring, packHeld, packOrigin, packRef } from '../compact.ts';
import type { AttemptRecord } from '../../records.ts';
import type { Chunk } from '../payload.ts';
import { keyColumns, type ActivationAddress } from './activation-keys.ts';
import { bigint, boolean, char, integer, RowSet, smallint, text, type Query } from './row-set.ts';

/**
 * The rows beside heads, activations and runs: one statement per table and direction, all of one form.
 *
 * Locks   rows of executions whose heads are held; nothing else can hold them.
 * Index   the primary key of each table.
 * Bound   what the batch's transitions contain.
 */
export type Of<T> = T & { readonly executionId: string };

const id = bigint<{ readonly executionId: string }>((row) => row.executionId);

function insert<Row>(table: string, columns: RowSet<Row>, conflict = ''): (rows: readonly Row[]) => Query {
  const sql = `insert into ${table} (${columns.list()}) select ${columns.list('n.')} from ${columns.from('n')} ${conflict}`;
  return (rows) => ({ name: `insert_${table}`, text: sql, values: columns.values(rows) });
}

function remove<Row>(table: string, keys: RowSet<Row>, name = `delete_${table}`): (rows: readonly Row[]) => Query {
  const sql = `delete from ${table} t using ${keys.from('k')} where ${keys.names.map((column) => `t.${column} = k.${column}`).join(' and ')}`;
  return (rows) => ({ name, text: sql, values: keys.values(rows) });
}

const scopeState = ({ open, suspended, held, cycles, heldDead, result, stopped, error }: ScopeState): string => JSON.stringify({ open, suspended, held, cycles, heldDead, result, stopped, error });
const scopeKey = { execution_id: id, scope: text<Of<{ scope: string }>>((row) => row.scope) };

export const writeScopes = insert('scopes', new RowSet<Of<ScopeState>>({ ...scopeKey, state: text(scopeState) }), 'on conflict (execution_id, scope) do update set state = excluded.state');
export const deleteScopes = remove('scopes', new RowSet<Of<{ scope: string }>>(scopeKey));
/** What lay in the slots of scopes that closed. */
export const deleteScopeTokens = remove('tokens', new RowSet<Of<{ scope: string }>>(scopeKey), 'delete_scope_tokens');

const tokenKey = {
  execution_id: id,
  scope: text<Of<Token>>((token) => token.scope),
  node: integer<Of<Token>>((token) => token.node),
  slot: integer<Of<Token>>((token) => token.slot),
  pos: integer<Of<Token>>((token) => token.pos),
};
export const insertTokens = insert('tokens', new RowSet<Of<Token>>({ ...tokenKey, live: boolean((token) => token.live), edge: integer((token) => (token.tally ? token.edge : null)), token: text(packHeld) }));
export const deleteTokens = remove('tokens', new RowSet<Of<Token>>(tokenKey));

const position = { execution_id: id, position: integer<Of<{ position: number }>>((row) => row.position) };
export const insertQueuedFirings = insert('queued_firings', new RowSet<Of<QueuedFiring>>({ ...position, firing: text(packFiring) }));
export const deleteQueuedFirings = remove('queued_firings', new RowSet<Of<{ position: number }>>(position));

export const writeDrivers = insert(
  'drivers',
  new RowSet<Of<DriverState>>({ ...keyColumns, state: text(({ executionId: _, ...driver }) => JSON.stringify(driver)) }),
  'on conflict (execution_id, scope, node, seq) do update set state = excluded.state',
);
export const deleteDrivers = remove('drivers', new RowSet<ActivationAddress>(keyColumns));

const cellKey = { execution_id: id, scope: text<Of<Cell>>((cell) => cell.scope), node: integer<Of<Cell>>((cell) => cell.node), name: text<Of<Cell>>((cell) => cell.name) };
export const writeCells = insert('cells', new RowSet<Of<Cell>>({ ...cellKey, value: text((cell) => JSON.stringify(cell.value) ?? 'null') }), 'on conflict (execution_id, scope, node, name) do update set value = excluded.value');

export const insertListEntries = insert(
  'list_entries',
  new RowSet<Of<ListAppend>>({
    ...cellKey,
    scope: text((row) => row.scope),
    node: integer((row) => row.node),
    name: text((row) => row.name),
    entry: integer((row) => row.entry),
    first_item: integer((row) => row.firstItem),
    item_count: integer((row) => row.ref?.count ?? 1),
    ref: text((row) => row.ref && JSON.stringify(packRef(row.ref))),
    origin: text((row) => row.from && JSON.stringify(packOrigin(row.from))),
  }),
  'on conflict (execution_id, scope, node, name, entry) do update set first_item = excluded.first_item, item_count = excluded.item_count, ref = excluded.ref, origin = excluded.origin',
);

export const newChunks = new RowSet<ActivationAddress & Chunk>({
  ...keyColumns,
  port: integer((row) => row.port),
  chunk: integer((row) => row.chunk),
  first_item: integer((row) => row.firstItem),
  item_count: integer((row) => row.itemCount),
  kind: char(() => 'i'),
  payload: text((row) => row.text),
});
export const insertOutputs = insert('outputs', newChunks);

export interface AttemptRow extends ActivationAddress, Omit<AttemptRecord, keyof ActivationAddress> {
  readonly losses: number;
}

export const insertAttempts = insert(
  'attempts',
  new RowSet<AttemptRow>({
    ...keyColumns,
    attempt: smallint((row) => row.attempt),
    losses: smallint((row) => row.losses),
    ready_at: bigint((row) => row.readyAt),
    started_at: bigint((row) => row.startedAt),
    ended_at: bigint((row) => Math.round(row.endedAt)),
    outcome: char((row) => attemptOutcome.code(row.outcome)),
    worker: text((row) => row.worker),
    error: text((row) => row.error && JSON.stringify(row.error)),
  }),
);
