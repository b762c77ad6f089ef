import pg from 'pg';
import type { Query } from './statements/row-set.ts';

export type Row = { readonly [column: string]: string | number | boolean | null };

export interface Answer {
  readonly rows: readonly Row[];
  readonly count: number;
}

export interface ConnectionSettings {
  readonly databaseUrl: string;
  /** False: a commit answers before it is on disk. For what may be lost with a crash, such as extensions of leases. */
  readonly durable: boolean;
  readonly connectMs: number;
}

/**
 * Statements of ours touch few rows by key. What a planner could gain by thinking again per call is less than the
 * thinking costs, and a plan that reads a whole table is never right.
 */
export const SESSION = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set jit = off';

/** One session. Statements sent together go out in one packet and are answered in one round trip. */
export class Connection {
  broken = false;

  private constructor(private readonly client: pg.Client) {
    const breaks = () => void (this.broken = true);
    client.on('error', breaks);
    client.on('end', breaks);
  }

  static async open({ databaseUrl, durable, connectMs }: ConnectionSettings): Promise<Connection> {
    const client = new pg.Client({ connectionString: databaseUrl, pipeline: true, connectionTimeoutMillis: connectMs, application_name: 'argosy', keepAlive: true });
    const connection = new Connection(client);
    await client.connect();
    await client.query(durable ? SESSION : `${SESSION}; set synchronous_commit = off`);
    return connection;
  }

  /** All answers, or the first error that is not merely "the transaction is aborted". */
  async send(queries: readonly Query[]): Promise<Answer[]> {
    const wire = (this.client as unknown as { connection: { stream: { cork(): void; uncork(): void } } }).connection.stream;
    wire.cork();
    const sent = queries.map((query) => this.client.query(query as pg.QueryConfig));
    wire.uncork();
    const answers = await Promise.allSettled(sent);
    const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error & { code?: string }] : []));
    if (errors.length > 0) throw errors.find((error) => error.code !== '25P02') ?? errors[0]!;
    return answers.map((answer) => {
      const { rows, rowCount } = (answer as PromiseFulfilledResult<pg.QueryResult>).value;
      return { rows: rows as Row[], count: rowCount ?? 0 };
    });
  }

  async close(): Promise<void> {
    await this.client.end().catch(() => {});
  }
}

export const BEGIN: Query = { name: 'begin', text: 'begin', values: [] };
export const COMMIT: Query = { name: 'commit', text: 'commit', values: [] };
export const ROLLBACK: Query = { name: 'rollback', text: 'rollback', values: [] };
