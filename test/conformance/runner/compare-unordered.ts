import type { JsonObject } from '@app/engine';
import { compareCase, type Difference } from '../compare.mjs';
import type { CaseResult, CaseRun, TestCase } from './test-case.ts';

/**
 * Comparison for parallel runs: `order` is ignored, and the runs of a node are a set. Runs are matched with the
 * expected ones by what they carry; the sources of later runs are mapped along.
 */
export function compareUnordered(testCase: TestCase, actual: CaseResult): Difference[] {
  const { order: _, ...expected } = testCase.expected;
  const relaxed = { ...testCase, expected };
  const asIs = compareCase(relaxed, actual, { messages: false });
  if (asIs.length === 0) return asIs;
  const candidates = arrangements(expected, actual);
  let best = asIs;
  for (const candidate of candidates) {
    const differences = compareCase(relaxed, candidate, { messages: false });
    if (differences.length === 0) return differences;
    if (differences.length < best.length) best = differences;
  }
  return best;
}

/** Renumberings of the actual runs that could agree with the expectation; bounded, since cases are small. */
function* arrangements(expected: CaseResult, actual: CaseResult, limit = 5000): Generator<CaseResult> {
  const names = Object.keys(actual.runData ?? {}).filter((name) => (actual.runData![name]?.length ?? 0) > 1 && actual.runData![name]!.length === expected.runData?.[name]?.length);
  const choices = names.map((name) => permutations(actual.runData![name]!.length));
  let made = 0;
  const pick = function* (at: number, chosen: readonly (readonly number[])[]): Generator<CaseResult> {
    if (made >= limit) return;
    if (at === names.length) {
      made++;
      yield renumber(actual, new Map(names.map((name, index) => [name, chosen[index]!])));
      return;
    }
    for (const choice of choices[at]!) yield* pick(at + 1, [...chosen, choice]);
  };
  yield* pick(0, []);
}

function permutations(size: number): number[][] {
  if (size > 6) return [Array.from({ length: size }, (_, index) => index)];
  if (size === 0) return [[]];
  return permutations(size - 1).flatMap((rest) => Array.from({ length: size }, (_, at) => [...rest.slice(0, at), size - 1, ...rest.slice(at)]));
}

/** `order[i]` is the actual run that takes place i. */
function renumber(actual: CaseResult, orders: ReadonlyMap<string, readonly number[]>): CaseResult {
  const runData = Object.fromEntries(
    Object.entries(actual.runData ?? {}).map(([name, runs]) => {
      const order = orders.get(name);
      return [name, (order ? order.map((from) => runs[from]!) : runs).map((run) => renumberSources(run, orders))];
    }),
  );
  return { ...actual, runData };
}

function renumberSources(run: CaseRun, orders: ReadonlyMap<string, readonly number[]>): CaseRun {
  const source = run.source.map((one): JsonObject | null => {
    const order = one && orders.get(String(one['previousNode']));
    return one && order ? { ...one, previousNodeRun: order.indexOf(Number(one['previousNodeRun'] ?? 0)) } : one;
  });
  return { ...run, source };
}
