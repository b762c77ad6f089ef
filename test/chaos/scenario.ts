import type { Random } from './random.ts';

export interface ChaosContext {
  /** How many executions the fault is to meet. */
  readonly executions: number;
  readonly random: Random;
  /** Told what happens, for whoever watches. */
  readonly say: (line: string) => void;
}

export interface ScenarioResult {
  /** How often which fault really struck. */
  readonly faults: { readonly [fault: string]: number };
  /** From the end of the last fault to the end of the last execution that it met; null where nothing was interrupted. */
  readonly recoveryMs: number | null;
  /** What should not have happened, one sentence each. Empty: passed. */
  readonly violations: readonly string[];
}

/** One row of the table of faults: strikes a running fleet and says what became of its promises. */
export interface Scenario {
  readonly number: number;
  readonly title: string;
  run(context: ChaosContext): Promise<ScenarioResult>;
}
