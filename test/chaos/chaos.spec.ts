import { describe, expect, it } from 'vitest';
import { scenarios } from './all-scenarios.ts';
import { runScenario } from './run-scenario.ts';

/**
 * A first layer of the faults of `npm run chaos`, twenty executions each: a worker killed before its node, messages
 * acknowledged by the dead, the queue flushed, the queue's server lost. The whole set takes longer than a test run
 * should; `npm run chaos -- --all --executions 20` is that.
 */
const FIRST = new Set([1, 5, 8, 9]);

describe('a fleet under attack', () => {
  it.each(scenarios.filter(({ number }) => FIRST.has(number)).map((scenario) => [`${scenario.number}: ${scenario.title}`, scenario] as const))('keeps its promises, scenario %s', async (_, scenario) => {
    const report = await runScenario(scenario, { seed: 1, executions: 20, say: () => {} });
    expect(report.violations).toEqual([]);
    expect(Object.values(report.faults).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
  });
});
