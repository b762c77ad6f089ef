import { resolve } from 'node:path';
import { migrate } from '@app/store';
import { migratePostgresBackend } from '@app/dispatch';
import { createDatabase, type TestDatabase } from './database.ts';
import { FleetProcess, freePort } from './fleet-process.ts';

export interface FleetOptions {
  readonly workers?: number;
  /** Absent: the queue is kept in Postgres. */
  readonly redisUrl?: string;
  /** The Postgres server to make the database on. Absent: that of DATABASE_URL. */
  readonly server?: string;
  /** Where the processes find Postgres, when not directly (a proxy of the test's own). */
  readonly databaseUrl?: (direct: string) => string;
  readonly env?: Readonly<Record<string, string>>;
  readonly workerEnv?: Readonly<Record<string, string>>;
  readonly apiEnv?: Readonly<Record<string, string>>;
}

/** An API and workers as real processes over a database of their own. */
export class TestFleet {
  readonly workers: FleetProcess[] = [];
  private started = 0;

  private constructor(
    readonly database: TestDatabase,
    readonly url: string,
    public api: FleetProcess,
    private readonly options: FleetOptions,
    private readonly baseEnv: Readonly<Record<string, string>>,
  ) {}

  static async start(options: FleetOptions = {}): Promise<TestFleet> {
    const database = await createDatabase(undefined, options.server);
    await migrate(database.url, resolve('prisma/migrations'));
    if (options.redisUrl === undefined) await migratePostgresBackend(database.url);
    const port = await freePort();
    const baseEnv = {
      DATABASE_URL: options.databaseUrl?.(database.url) ?? database.url,
      ...(options.redisUrl !== undefined && { REDIS_URL: options.redisUrl }),
      PORT: String(port),
      ...options.env,
    };
    const api = FleetProcess.start('api', 'api', { ...baseEnv, ...options.apiEnv });
    const fleet = new TestFleet(database, `http://127.0.0.1:${port}`, api, options, baseEnv);
    try {
      await fleet.apiReady();
      await fleet.addWorkers(options.workers ?? 2);
    } catch (error) {
      await fleet.stop();
      throw error;
    }
    return fleet;
  }

  async addWorkers(count: number, env: Readonly<Record<string, string>> = {}): Promise<FleetProcess[]> {
    const added = Array.from({ length: count }, () => {
      const id = `worker-${++this.started}`;
      return FleetProcess.start(id, 'worker', { ...this.baseEnv, WORKER_ID: id, ...this.options.workerEnv, ...env });
    });
    this.workers.push(...added);
    await Promise.all(added.map((worker) => worker.prints('ready ')));
    return added;
  }

  async restartApi(env: Readonly<Record<string, string>> = {}): Promise<void> {
    if (this.api.isRunning) await this.api.stop();
    this.api = FleetProcess.start('api', 'api', { ...this.baseEnv, ...this.options.apiEnv, ...env });
    await this.apiReady();
  }

  async apiReady(withinMs = 30_000): Promise<void> {
    for (const until = Date.now() + withinMs; Date.now() < until; ) {
      const ok = await fetch(`${this.url}/readyz`).then((response) => response.ok, () => false);
      if (ok) return;
      if (!this.api.isRunning) break;
      await new Promise((done) => setTimeout(done, 30));
    }
    throw new Error(`The API did not become ready. It printed:\n${this.api.output.join('').slice(-3000)}`);
  }

  /** A request to the API; throws with the problem when it is refused. */
  async call<T = Record<string, unknown>>(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<T> {
    const response = await fetch(`${this.url}/api/v1/${path}`, { method, headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers }, ...(body !== undefined && { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (!response.ok) throw new ApiRefusal(response.status, text);
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  async stop(): Promise<void> {
    await Promise.all([this.api, ...this.workers].map((process) => process.stop()));
    await this.database.drop();
  }
}

export class ApiRefusal extends Error {
  constructor(
    readonly status: number,
    readonly text: string,
  ) {
    super(`The API answered ${status}: ${text.slice(0, 500)}`);
  }
}
