import { TestFleet, type FleetOptions } from '../../test/support/fleet.ts';
import type { WorkflowDocument } from '../documents.ts';
import { HttpLoad, inParallel, timed } from '../load.ts';
import type { System } from './system.ts';

/** A fleet of real processes on Redis, and a client of its API. */
export class Argosy {
  private constructor(
    readonly fleet: TestFleet,
    private readonly http: HttpLoad,
  ) {}

  static async start(redisUrl: string, workers: number, options: Pick<FleetOptions, 'workerEnv' | 'apiEnv'> = {}): Promise<Argosy> {
    const fleet = await TestFleet.start({ redisUrl, workers, env: { HOST: '127.0.0.1' }, ...options });
    return new Argosy(fleet, new HttpLoad(fleet.url));
  }

  get workerPids(): number[] {
    return this.fleet.workers.map(({ pid }) => pid);
  }

  async save(document: WorkflowDocument): Promise<string> {
    return (await this.http.request<{ id: string }>('POST', '/api/v1/workflows', JSON.stringify(document))).id;
  }

  /** Answers once the execution is durable. */
  async startExecution(workflowId: string, body = '{}'): Promise<string> {
    return (await this.http.request<{ id: string }>('POST', `/api/v1/workflows/${workflowId}/executions`, body)).id;
  }

  /** Milliseconds from the first start until the last of `count` executions has ended, as Postgres says. */
  async run(workflowId: string, count: number, concurrency: number, body = '{}'): Promise<number> {
    const ms = await timed(async () => {
      await inParallel(count, concurrency, () => this.startExecution(workflowId, body));
      await this.untilNoneIsOpen();
    });
    await this.assertAllSucceeded();
    return ms;
  }

  async untilNoneIsOpen(withinMs = 300_000): Promise<void> {
    for (const until = Date.now() + withinMs; Date.now() < until; await new Promise((done) => setTimeout(done, 10))) {
      const [row] = await this.fleet.database.query<{ open: boolean }>('select exists(select from execution_heads) as open');
      if (!row!.open) return;
    }
    throw new Error(`There are open executions after ${withinMs / 1000} s.\n${this.fleet.workers.map((worker) => worker.output.join('').slice(-1_000)).join('\n')}`);
  }

  private async assertAllSucceeded(): Promise<void> {
    const [row] = await this.fleet.database.query<{ others: number }>("select count(*)::int as others from executions where status is distinct from 's'");
    if (row!.others > 0) throw new Error(`${row!.others} executions did not succeed; nothing that they cost means anything.`);
  }

  /** From the request until the API says that the execution has ended: it is asked again as soon as it has answered. */
  async startAndWait(workflowId: string, body = '{}'): Promise<number> {
    return timed(async () => {
      const id = await this.startExecution(workflowId, body);
      for (;;) {
        const { status } = await this.http.request<{ status: string }>('GET', `/api/v1/executions/${id}`);
        if (status === 'success') return;
        if (status === 'error' || status === 'canceled') throw new Error(`Execution ${id} ended as ${status}.`);
      }
    });
  }

  /** As one of the systems that are compared. */
  asSystem(workflowId: string, body: string, concurrency: number): System {
    return {
      name: 'argosy',
      concurrency,
      runSize: 1_500,
      throughput: (count, lanes) => this.run(workflowId, count, lanes, body),
      latency: () => this.startAndWait(workflowId, body),
      stop: () => this.stop(),
    };
  }

  async stop(): Promise<void> {
    await this.http.close();
    await this.fleet.stop();
  }
}
