import { describe, expect, it } from 'vitest';
import type { RunRecord, Store } from '@app/store';
import { allRuns, nextRuns } from './execution-history.ts';

/** Runs by commit number; several may share one. */
const storeOf = (commits: readonly number[]): Store =>
  ({
    listRuns: async (_: string, after: number, limit: number) =>
      commits
        .filter((commit) => commit > after)
        .slice(0, limit)
        .map((commit) => ({ commit }) as RunRecord),
  }) as unknown as Store;

describe('reading the history of an execution', () => {
  it('never cuts a commit in two', async () => {
    const { runs, isLast } = await nextRuns(storeOf([0, 1, 1, 1, 2]), '1', -1, 2);
    expect(runs.map(({ commit }) => commit)).toEqual([0]);
    expect(isLast).toBe(false);
  });

  it('reads a commit that is larger than a page in one piece', async () => {
    const { runs } = await nextRuns(storeOf([1, 1, 1, 1, 1, 2]), '1', -1, 2);
    expect(runs.map(({ commit }) => commit)).toEqual([1, 1, 1, 1, 1]);
  });

  it.each([1, 2, 3, 7, 100])('reads every run once with pages of %i', async (size) => {
    const commits = [0, 1, 1, 2, 3, 3, 3, 3, 4, 9];
    const read: number[] = [];
    for await (const page of allRuns(storeOf(commits), '1', size)) read.push(...page.map(({ commit }) => commit));
    expect(read).toEqual(commits);
  });
});
