import type { RunRecord, Store } from '@app/store';

/**
 * Runs after a commit, in commit order, at least `limit` of them if there are that many. Never cuts a commit in two:
 * whoever goes on after the last commit of a page misses nothing.
 */
export async function nextRuns(store: Store, executionId: string, after: number, limit: number): Promise<{ readonly runs: readonly RunRecord[]; readonly isLast: boolean }> {
  for (let asked = limit + 1; ; asked *= 2) {
    const runs = await store.listRuns(executionId, after, asked);
    if (runs.length < asked) return { runs, isLast: true };
    const lastCommit = runs.at(-1)!.commit;
    const whole = runs.filter((run) => run.commit !== lastCommit);
    if (whole.length > 0) return { runs: whole, isLast: false };
  }
}

export async function* allRuns(store: Store, executionId: string, pageSize = 1_000): AsyncGenerator<readonly RunRecord[]> {
  for (let after = -1; ;) {
    const { runs, isLast } = await nextRuns(store, executionId, after, pageSize);
    if (runs.length > 0) yield runs;
    if (isLast) return;
    after = runs.at(-1)!.commit;
  }
}
