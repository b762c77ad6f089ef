import { Connection, type Answer, type ConnectionSettings } from './connection.ts';
import type { Query } from './statements/row-set.ts';

/** A fixed number of sessions, opened when first needed, lent to one user at a time. */
export class ConnectionPool {
  private readonly idle: Connection[] = [];
  private readonly waiting: { readonly take: (connection: Connection) => void; readonly fail: (error: unknown) => void }[] = [];
  private open = 0;
  private closed = false;

  constructor(
    private readonly settings: ConnectionSettings,
    private readonly size: number,
  ) {}

  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.take();
    try {
      return await work(connection);
    } finally {
      this.giveBack(connection);
    }
  }

  /** Sends statements that belong to no transaction. */
  async send(queries: readonly Query[]): Promise<Answer[]> {
    return this.use((connection) => connection.send(queries));
  }

  async ask(query: Query): Promise<Answer> {
    return (await this.send([query]))[0]!;
  }

  private async take(): Promise<Connection> {
    if (this.closed) throw new Error('the store is closed');
    for (let connection = this.idle.pop(); connection; connection = this.idle.pop()) {
      if (!connection.broken) return connection;
      this.open -= 1;
    }
    if (this.open >= this.size) return new Promise((take, fail) => this.waiting.push({ take, fail }));
    return this.openOne();
  }

  private async openOne(): Promise<Connection> {
    this.open += 1;
    try {
      return await Connection.open(this.settings);
    } catch (error) {
      this.open -= 1;
      // Whoever waits for a connection would wait for ever if none can be opened.
      for (const { fail } of this.waiting.splice(0)) fail(error);
      throw error;
    }
  }

  private giveBack(connection: Connection): void {
    if (this.closed) return void connection.close();
    const next = this.waiting.shift();
    if (!connection.broken) {
      if (next) next.take(connection);
      else this.idle.push(connection);
      return;
    }
    this.open -= 1;
    if (next) this.openOne().then(next.take, next.fail);
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const { fail } of this.waiting.splice(0)) fail(new Error('the store is closed'));
    await Promise.all(this.idle.splice(0).map((connection) => connection.close()));
  }
}
