import { describe, expect, it } from 'vitest';
import { accept } from './accept.ts';
import type { Benchmark, BenchSettings, Result } from './benchmark.ts';
import { chain10 } from './chain10.ts';
import { fanout } from './fanout.ts';
import { idle } from './idle.ts';
import { loop } from './loop.ts';
import { report, sentences } from './report.ts';

/** A hundredth of everything, without peers: that the benchmarks still measure, never what they measure. */
const settings: BenchSettings = { redisUrl: process.env['REDIS_URL']!, peers: [], scale: 0.01, rounds: 1, say: () => {} };
const results = new Map<string, Result>();

describe('the benchmarks', () => {
  it.each<[string, Benchmark]>([
    ['chain10', chain10],
    ['accept', accept],
    ['fanout', fanout],
    ['loop', loop],
    ['idle', idle],
  ])('%s runs from end to end and comes to figures and verdicts', async (name, benchmark) => {
    const result = await benchmark(settings, results);
    results.set(name, result);
    for (const [what, value] of Object.entries(result.figures)) for (const figure of [value].flat()) expect(Number.isFinite(figure), what).toBe(true);
    expect(result.verdicts.length).toBeGreaterThan(0);
    for (const { what, measured } of result.verdicts) expect(Number.isFinite(measured), what).toBe(true);
  });

  it('are reported as one object and as sentences', async () => {
    const whole = await report(results, settings);
    expect(Object.keys(whole.figures)).toEqual(['chain10', 'accept', 'fanout', 'loop', 'idle']);
    expect(JSON.parse(JSON.stringify(whole))).toEqual(whole);
    expect(sentences(whole)).toContain('chain10: peak MB of a worker');
  });
});
