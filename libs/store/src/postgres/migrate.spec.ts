import { describe, expect, it } from 'vitest';
import { missingMigrations, type Migration } from './migrate.ts';

const migration = (name: string, checksum = name): Migration => ({ name, sql: '', checksum });

describe('migrations', () => {
  it('are applied in the order of their names, those that are missing', () => {
    expect(missingMigrations([migration('0001_a'), migration('0002_b'), migration('0003_c')], [migration('0001_a')]).map(({ name }) => name)).toEqual(['0002_b', '0003_c']);
  });

  it('may be behind those of a newer release', () => {
    expect(missingMigrations([migration('0001_a')], [migration('0001_a'), migration('0002_b')])).toEqual([]);
  });

  it('are refused when one was changed after it had been applied', () => {
    expect(() => missingMigrations([migration('0001_a', 'new')], [migration('0001_a', 'old')])).toThrow('0001_a was changed after it had been applied');
  });

  it('are refused when a new one comes before an applied one', () => {
    expect(() => missingMigrations([migration('0001_a'), migration('0002_b')], [migration('0002_b')])).toThrow('higher number');
  });
});
