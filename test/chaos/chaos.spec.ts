import { describe, expect, it } from 'vitest';
import { scenarios } from './all-scenarios.ts';
import { runScenario } from './run-scenario.ts';

/** What a busy machine can bring about as well: the fault met nobody, or the recovery took longer than its budget. */
const isOfTheMachine = (violation: string): boolean => /^(The fault did not strike|I5: ready work lay|I14:)/.test(violation);

/**
 * Every scenario of `npm run chaos`, with twenty executions instead of hundreds. Where nothing but the machine can be
 * blamed a second seed decides; a broken promise fails at once.
 */
describe('a fleet under attack', () => {
  it.each(scenarios.map((scenario) => [`${scenario.number}: ${scenario.title}`, scenario] as const))('keeps its promises, scenario %s', async (_, scenario) => {
    let report = await runScenario(scenario, { seed: 1, executions: 20, say: () => {} });
    if (report.violations.length > 0 && report.violations.every(isOfTheMachine)) report = await runScenario(scenario, { seed: 2, executions: 20, say: () => {} });
    expect(report.violations).toEqual([]);
    expect(Object.values(report.faults).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
  });
});
