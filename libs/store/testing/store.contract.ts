import { afterAll, beforeAll, describe } from 'vitest';
import type { Store } from '@app/store';
import { apiKeysContract } from './contract/api-keys.ts';
import { claimsContract } from './contract/claims.ts';
import { commitsContract } from './contract/commits.ts';
import { creationContract } from './contract/creation.ts';
import { endsContract } from './contract/ends.ts';
import { historyContract } from './contract/history.ts';
import { joinsContract } from './contract/joins.ts';
import { payloadsContract } from './contract/payloads.ts';
import { suspensionsContract } from './contract/suspensions.ts';
import { sweepsContract } from './contract/sweeps.ts';
import { workflowsContract } from './contract/workflows.ts';
import { DrivenExecution } from './driven-execution.ts';

export interface StoreUnderTest {
  readonly store: Store;
  /** Moves the store's clock forward. */
  shiftClock(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** One store for the whole suite; every execution gets a queue of its own, so that no test sees another one's work. */
export class Workbench {
  under!: StoreUnderTest;
  private queues = 0;

  get store(): Store {
    return this.under.store;
  }

  drive(sketch: ConstructorParameters<typeof DrivenExecution>[1]): DrivenExecution {
    return new DrivenExecution(this.store, sketch, `q${++this.queues}`);
  }
}

/** What every adapter of the port must do. A behavior that is not asked for here does not exist. */
export function describeStore(name: string, setup: () => Promise<StoreUnderTest>): void {
  describe(`the store ${name}`, () => {
    const bench = new Workbench();
    beforeAll(async () => void (bench.under = await setup()), 60_000);
    afterAll(() => bench.under.close());

    workflowsContract(bench);
    creationContract(bench);
    claimsContract(bench);
    commitsContract(bench);
    joinsContract(bench);
    suspensionsContract(bench);
    sweepsContract(bench);
    endsContract(bench);
    payloadsContract(bench);
    historyContract(bench);
    apiKeysContract(bench);
  });
}
