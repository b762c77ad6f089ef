import { describe, expect, it } from 'vitest';
import { scenarios } from './all-scenarios.ts';
import { runScenario } from './run-scenario.ts';

/** Every scenario of `npm run chaos`, with twenty executions instead of hundreds. */
describe('a fleet under attack', () => {
  it.each(scenarios.map((scenario) => [`${scenario.number}: ${scenario.title}`, scenario] as const))('keeps its promises, scenario %s', async (_, scenario) => {
    const report = await runScenario(scenario, { seed: 1, executions: 20, say: () => {} });
    expect(report.violations).toEqual([]);
    expect(Object.values(report.faults).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
  });
});
