import { join } from 'node:path';
import { apiUnderTest, work, type ApiUnderTest, type Behavior } from '../../api/testing/api-under-test.ts';
import { ApiClient } from '../src/api-client.ts';
import { runCli } from '../src/cli.ts';
import type { FleetStarter } from '../src/fleet-starter.ts';

export interface CliUnderTest {
  readonly api: ApiUnderTest;
  /** Runs a command line; the workers work meanwhile, if there is a behavior. */
  argosy(...args: string[]): Promise<{ code: number; out: string; notes: string }>;
  /** What the fleet that commands start themselves did. */
  readonly fleetLog: string[];
}

export interface CliUnderTestOptions {
  /** Absent: nothing works on executions. */
  readonly behavior?: Behavior;
  readonly keys?: readonly string[];
  readonly key?: string;
  /** No API answers until a fleet is started. */
  readonly isDown?: boolean;
  readonly isUrlGiven?: boolean;
  readonly columns?: number;
}

/** The command line against the real API over memory adapters; only sockets and processes are left out. */
export async function cliUnderTest({ behavior, keys, key, isDown = false, isUrlGiven = false, columns }: CliUnderTestOptions = {}): Promise<CliUnderTest> {
  const api = await apiUnderTest({ keys });
  const fleetLog: string[] = [];
  let isUp = !isDown;
  const fetchFrom: typeof fetch = async (input, init = {}) => {
    if (!isUp) throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    const { pathname, search } = new URL(String(input));
    const answer = await api.app.inject({
      method: (init.method ?? 'GET') as 'GET',
      url: pathname + search,
      payload: init.body as string | undefined,
      headers: init.headers as Record<string, string>,
    });
    return new Response(answer.payload, { status: answer.statusCode, headers: { 'content-type': String(answer.headers['content-type']) } });
  };
  const fleet: FleetStarter = {
    async up({ workers }) {
      fleetLog.push(`up ${workers}`);
      isUp = true;
      return { url: 'http://localhost:1', failed: new Promise(() => {}), stop: async () => void fleetLog.push('stop') };
    },
    async become(role) {
      fleetLog.push(role);
      return 0;
    },
  };
  return {
    api,
    fleetLog,
    async argosy(...args) {
      let out = '';
      let notes = '';
      const working = behavior && setInterval(() => void work(api.store, behavior), 20);
      const terminal = { out: (text: string) => void (out += text), note: (text: string) => void (notes += text), columns: columns ?? null };
      const client = new ApiClient({ url: 'http://localhost', key }, fetchFrom);
      const code = await runCli(args, {
        terminal,
        api: client,
        isUrlGiven,
        fleet,
        openStore: async (work) => await work(api.store),
        version: '0.0.0-test',
      examplesFolder: join(import.meta.dirname, '../../../examples'),
        stopSignal: () => new AbortController().signal,
      });
      clearInterval(working);
      return { code, out, notes };
    },
  };
}
