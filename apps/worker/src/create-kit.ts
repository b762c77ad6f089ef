import { Sandbox } from '@app/expressions';
import type { Dispatch } from '@app/dispatch';
import type { NodeCatalogue } from '@app/nodes';
import type { Store } from '@app/store';
import type { Telemetry } from '@app/telemetry';
import { noCredentials, type CredentialReader } from './execute/credentials.ts';
import { FamilySizes } from './execute/family-sizes.ts';
import { HistoryCache } from './execute/history-cache.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { ProgramCache } from './program-cache.ts';
import type { WorkerKit, WorkerSettings } from './worker-kit.ts';

export interface KitParts {
  readonly workerId: string;
  readonly store: Store;
  readonly dispatch: Dispatch;
  readonly nodes: NodeCatalogue;
  readonly telemetry: Telemetry;
  /** The text of dist/sandbox-guest.js. */
  readonly guestSource: string;
  readonly report: WorkerKit['report'];
  readonly settings?: Partial<WorkerSettings>;
  readonly sandbox?: { readonly memoryMb?: number; readonly timeoutMs?: number; readonly poolSize?: number };
  readonly failpoint?: WorkerKit['failpoint'];
  /** Absent: every node that needs a credential fails. */
  readonly credentials?: CredentialReader;
}

const DEFAULTS: WorkerSettings = {
  leaseMs: 15_000,
  continueLimit: 50,
  continueMs: 2_000,
  nodeDeadlineMs: 300_000,
  maxFamily: 100_000,
  timezone: 'UTC',
  env: null,
  tracing: false,
  baseUrl: 'http://localhost:5678',
};

/** Puts together what a worker runs with. */
export function createKit(parts: KitParts): WorkerKit {
  const settings = { ...DEFAULTS, ...parts.settings };
  const { workerId, store, dispatch, nodes, telemetry, report } = parts;
  return {
    workerId,
    store,
    dispatch,
    nodes,
    telemetry,
    report,
    settings,
    programs: new ProgramCache(store, nodes),
    histories: new HistoryCache(store),
    families: new FamilySizes(store, settings.maxFamily),
    sandbox: new Sandbox({ memoryMb: parts.sandbox?.memoryMb ?? 64, timeoutMs: parts.sandbox?.timeoutMs ?? 5000, poolSize: parts.sandbox?.poolSize ?? 2, guestSource: parts.guestSource }),
    credentials: parts.credentials ?? noCredentials,
    leases: new LeaseKeeper(store, settings.leaseMs),
    failpoint: parts.failpoint ?? (() => {}),
  };
}
