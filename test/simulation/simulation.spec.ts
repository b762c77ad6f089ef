import { describe, expect, it } from 'vitest';
import { Simulation } from './simulation.ts';

const FLEETS = 60;

describe('a simulated fleet', () => {
  it('keeps its promises although workers die, leases run out and messages are lost, doubled and late', async () => {
    const totals = new Map<string, number>();
    for (let seed = 1; seed <= FLEETS; seed++) {
      const simulation = new Simulation(seed);
      await simulation.run();
      for (const [name, count] of Object.entries(simulation.oracle.counts)) totals.set(name, (totals.get(name) ?? 0) + count);
    }
    // A fleet to which nothing happened has shown nothing.
    for (const [name, count] of totals) expect(count, name).toBeGreaterThan(3);
  }, 30_000);

  it('does the same again with the same seed, and something else with another one', async () => {
    const journal = async (seed: number): Promise<string[]> => {
      const simulation = new Simulation(seed);
      await simulation.run();
      return simulation.journal;
    };
    const first = await journal(7);
    expect(first.length).toBeGreaterThan(20);
    expect(await journal(7)).toEqual(first);
    expect(await journal(8)).not.toEqual(first);
  });
});
