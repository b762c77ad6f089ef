export { Store, type Decide } from './store.ts';
export type {
  AttemptRecord,
  ChildExecution,
  ClaimedActivation,
  CommitOptions,
  CommitResult,
  CreatedExecution,
  Ended,
  ExecutionFilter,
  ExecutionMode,
  ExecutionRecord,
  LeaseReport,
  ListEntry,
  NewExecution,
  NewVersion,
  OpenActivationRecord,
  Page,
  ReadyActivation,
  Released,
  RunRecord,
  SignalResult,
  StaticData,
  StaticDataChange,
  StoreHealth,
  VersionRecord,
  WorkflowFilter,
  WorkflowRecord,
} from './records.ts';
export { hashOfApiKey, looksLikeApiKey, mintApiKey, type ApiKeyRecord, type ApiKeyStore, type NewApiKey } from './api-keys.ts';
export { Conflict, NotFound, SchemaMismatch, StoreUnavailable, Unwritable } from './errors.ts';
export { measureReady } from './measure-ready.ts';
export { noteEnded } from './note-ended.ts';
export { NO_SUSPECTS, suspectAt } from './suspects.ts';
export { MemoryStore } from './memory/memory-store.ts';
export { PostgresStore, type PostgresStoreOptions } from './postgres/postgres-store.ts';
export { assertSchemaCurrent, migrate, readMigrations, type Migration } from './postgres/migrate.ts';
