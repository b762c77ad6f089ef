import type { ConnectionPool } from './connection-pool.ts';
import { workerNumber } from './statements/worker-names.ts';

/** Numbers of workers' names, each asked for once. */
export class WorkerNumbers {
  private readonly known = new Map<string, number>();

  constructor(private readonly pool: ConnectionPool) {}

  /** Undefined: not asked for yet, so `learn` must come first. */
  of(worker: string): number | undefined {
    return this.known.get(worker);
  }

  async learn(workers: Iterable<string>): Promise<void> {
    for (const worker of new Set(workers)) {
      if (this.known.has(worker)) continue;
      // Two processes that meet at a new name: the loser's snapshot may not show it yet.
      let row = (await this.pool.ask(workerNumber(worker))).rows[0];
      row ??= (await this.pool.ask(workerNumber(worker))).rows[0];
      this.known.set(worker, Number(row!['id']));
    }
  }
}
