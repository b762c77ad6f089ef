import pg from 'pg';
import { sleep } from '../eventually.ts';
import { LOOK } from '../invariant-statements.ts';
import type { Verdict } from '../verdict.ts';

interface Look {
  readonly oldest_ready_ms: number;
  readonly open: number;
  readonly ended: readonly (readonly [id: string, status: string, finishedAt: number, commits: number])[];
  readonly torn: readonly (readonly [id: string, what: string])[];
}

/** Looks at the database all the time, past every proxy, and notices what may never be seen even for a moment. */
export class Watcher {
  /** When an execution was first seen to have ended, by our clock. */
  readonly endedAt = new Map<string, number>();
  oldestReadyMs = 0;
  #open = 0;
  readonly #ends = new Map<string, string>();
  #client: pg.Client | null = null;
  #last: Promise<void> = Promise.resolve();
  #isStopped = false;
  #turn: Promise<void> = Promise.resolve();

  constructor(
    private readonly databaseUrl: string,
    private readonly verdict: Verdict,
    private readonly everyMs = 100,
  ) {}

  start(): void {
    this.#turn = this.#loop();
  }

  /** Executions that were open at the last look. */
  get open(): number {
    return this.#open;
  }

  /** Rows of a statement, from a connection that survives restarts of the server; one statement after the other. */
  query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
    const rows = this.#last.then(() => this.#ask<T>(text, values));
    this.#last = rows.then(() => {}, () => {});
    return rows;
  }

  async look(): Promise<void> {
    const [look] = await this.query<Look>(LOOK);
    const now = Date.now();
    this.#open = look!.open;
    this.oldestReadyMs = Math.max(this.oldestReadyMs, look!.oldest_ready_ms);
    for (const [id, what] of look!.torn) this.verdict.expect(false, `I9: execution ${id} ${what}.`);
    for (const [id, ...end] of look!.ended) {
      const first = this.#ends.get(id);
      if (first === undefined) {
        this.#ends.set(id, String(end));
        this.endedAt.set(id, now);
      } else this.verdict.expect(first === String(end), `I1: execution ${id} had ended as ${first} and is now ${String(end)}.`);
    }
    for (const id of this.#ends.keys()) if (!look!.ended.some(([other]) => other === id)) this.verdict.expect(false, `I1: execution ${id} had ended and is open or gone.`);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#turn;
    await this.#forget();
  }

  async #ask<T extends object>(text: string, values: unknown[]): Promise<T[]> {
    for (let round = 0; ; round++) {
      try {
        return (await (await this.#connected()).query(text, values)).rows as T[];
      } catch (error) {
        const code = (error as { code?: string }).code ?? '';
        if (round > 100 || /^(42|22|23)/.test(code)) throw error;
        await this.#forget();
        await sleep(100);
      }
    }
  }

  async #loop(): Promise<void> {
    while (!this.#isStopped) {
      await this.look().catch(() => {});
      await sleep(this.everyMs);
    }
  }

  async #connected(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const client = new pg.Client({ connectionString: this.databaseUrl, application_name: 'chaos watcher', connectionTimeoutMillis: 2_000 });
    client.on('error', () => {});
    await client.connect();
    return (this.#client = client);
  }

  async #forget(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => {});
  }
}
