import { ApiRefusal, type TestFleet } from '../../support/fleet.ts';
import { sleep } from '../eventually.ts';

export interface Accepted {
  readonly id: string;
  readonly workflow: string;
  readonly key: string;
  readonly at: number;
  /** The API knew the key already: an earlier try had been accepted although its answer was lost. */
  readonly existing: boolean;
}

/**
 * A client that does what clients should: brings an idempotency key and asks again until it gets an answer. What it
 * was promised is remembered here.
 */
export class Starter {
  readonly accepted: Accepted[] = [];
  readonly failures: string[] = [];
  /** Requests that got no answer or a refusal and were sent again. */
  repeated = 0;

  constructor(private readonly fleet: TestFleet) {}

  /** Starts `count` executions, spread evenly over some time. */
  start(workflow: string, keyPrefix: string, count: number, overMs: number): Promise<Accepted[]> {
    const accepted = Promise.all(
      Array.from({ length: count }, async (_, index) => {
        await sleep((overMs * index) / count);
        return this.startOne(workflow, `${keyPrefix}-${index}`);
      }),
    );
    // Whoever waits for it hears of a failure; until then it must not end the process.
    accepted.catch(() => {});
    return accepted;
  }

  async startOne(workflow: string, key: string, withinMs = 60_000): Promise<Accepted> {
    for (const until = Date.now() + withinMs; ; ) {
      try {
        const { id, existing } = await this.fleet.call<{ id: string; existing?: boolean }>('POST', `workflows/${workflow}/executions`, { mode: 'manual', idempotencyKey: key });
        const accepted = { id, workflow, key, at: Date.now(), existing: existing ?? false };
        this.accepted.push(accepted);
        return accepted;
      } catch (error) {
        const isFinal = error instanceof ApiRefusal && error.status < 500;
        if (isFinal || Date.now() > until) throw error;
        this.repeated += 1;
        this.failures.push(error instanceof Error ? error.message : String(error));
        await sleep(100);
      }
    }
  }
}
