import { arbitraryProgram } from '@app/engine/testing/arbitrary.ts';
import { Coverage } from '@app/engine/testing/fuzz/coverage.ts';
import { checkDamaged, checkProgram } from '@app/engine/testing/fuzz/properties.ts';
import { describe, expect, it } from 'vitest';

/** Enough to meet every named thing at least once; `npm run fuzz:engine` asks for 500 of each. */
const SEEDS = 80;

describe('random programs', () => {
  it('keep every promise of the scheduler, step by step, and between them reach every rule', () => {
    const coverage = new Coverage();
    for (let seed = 1; seed <= SEEDS; seed++) checkProgram(seed, coverage);
    expect(coverage.below(1)).toEqual([]);
  }, 60_000);

  it('are refused or run when they are damaged, and never make the scheduler throw', () => {
    let passed = 0;
    for (let seed = 1; seed <= 30; seed++) passed += checkDamaged(seed, 15);
    expect(passed).toBeGreaterThan(10);
  }, 30_000);

  it('are the same for the same seed', () => {
    expect(arbitraryProgram(5, 'wild')).toEqual(arbitraryProgram(5, 'wild'));
    expect(arbitraryProgram(5, 'wild')).not.toEqual(arbitraryProgram(6, 'wild'));
  });
});
