import { Random } from './random.ts';
import type { ChaosContext, Scenario, ScenarioResult } from './scenario.ts';

export interface ScenarioReport extends ScenarioResult {
  readonly number: number;
  readonly title: string;
  readonly passed: boolean;
  readonly seconds: number;
}

/** Runs one scenario with chances of its own, so that it goes the same whether alone or among others. */
export async function runScenario(scenario: Scenario, { seed, executions, say }: Pick<ChaosContext, 'executions' | 'say'> & { readonly seed: number }): Promise<ScenarioReport> {
  const begun = Date.now();
  const result = await scenario
    .run({ executions, random: new Random(seed * 1_000 + scenario.number), say })
    .catch((error: unknown): ScenarioResult => ({ faults: {}, recoveryMs: null, violations: [`The scenario could not be set up: ${error instanceof Error ? error.message : String(error)}`] }));
  return { number: scenario.number, title: scenario.title, passed: result.violations.length === 0, seconds: Math.round((Date.now() - begun) / 100) / 10, ...result };
}
