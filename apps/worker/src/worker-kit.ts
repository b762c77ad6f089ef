import type { Dispatch } from '@app/dispatch';
import type { Sandbox } from '@app/expressions';
import type { NodeCatalogue } from '@app/nodes';
import type { Store } from '@app/store';
import type { Telemetry } from '@app/telemetry';
import type { CredentialReader } from './execute/credentials.ts';
import type { FamilySizes } from './execute/family-sizes.ts';
import type { HistoryCache } from './execute/history-cache.ts';
import type { Failpoint } from './failpoints.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { ProgramCache } from './program-cache.ts';

/** What running an activation needs, put together once per process. */
export interface WorkerKit {
  readonly workerId: string;
  readonly store: Store;
  readonly dispatch: Dispatch;
  readonly nodes: NodeCatalogue;
  readonly programs: ProgramCache;
  readonly histories: HistoryCache;
  readonly families: FamilySizes;
  readonly sandbox: Sandbox;
  readonly credentials: CredentialReader;
  readonly leases: LeaseKeeper;
  readonly telemetry: Telemetry;
  readonly settings: WorkerSettings;
  /** Tells the operator what went wrong and is being dealt with. */
  readonly report: (what: string, error: unknown) => void;
  /** Called at named places by chaos tests; does nothing otherwise. */
  readonly failpoint: Failpoint;
}

export interface WorkerSettings {
  readonly leaseMs: number;
  /** How many successors one activation may drag along on this worker, and for how long. */
  readonly continueLimit: number;
  readonly continueMs: number;
  /** Running time of one attempt where the node names none. */
  readonly nodeDeadlineMs: number;
  /** Executions that one may bring about by calling workflows, itself and through those it called. */
  readonly maxFamily: number;
  readonly timezone: string;
  /** Environment variables that expressions may read; null: none. */
  readonly env: Readonly<Record<string, string>> | null;
  /** Whether anybody listens to spans. */
  readonly tracing: boolean;
  /** Where resume links point. */
  readonly baseUrl: string;
}
