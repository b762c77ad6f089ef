import { describe, expect, it } from 'vitest';
import { failpoints } from './failpoints.ts';

describe('failpoints of a worker', () => {
  it('do nothing without entries', () => {
    expect(failpoints([])('worker:claimed', 'A')).toBeUndefined();
  });

  it('strike only at their place and node', async () => {
    const reach = failpoints(['worker:claimed/A=delay1']);
    expect(reach('worker:claimed', 'B')).toBeUndefined();
    expect(reach('worker:after-send', 'A')).toBeUndefined();
    await expect(reach('worker:claimed', 'A')).resolves.toBeUndefined();
  });

  it('strike at the nth passing and never again', () => {
    const reach = failpoints(['worker:claimed=delay1@2']);
    expect([1, 2, 3, 4].map(() => reach('worker:claimed', 'A') instanceof Promise)).toEqual([false, true, false, false]);
  });

  it('strike with their share of chance', () => {
    const chances = [0.4, 0.6];
    const reach = failpoints(['worker:claimed=delay1:0.5'], () => chances.shift()!);
    expect([1, 2].map(() => reach('worker:claimed', 'A') instanceof Promise)).toEqual([true, false]);
  });

  it('leave those of the API alone and refuse what they cannot read', () => {
    expect(failpoints(['api:after-commit-before-send=kill'])('worker:claimed', 'A')).toBeUndefined();
    expect(() => failpoints(['worker:claimed=explode'])).toThrow(/FAILPOINTS: "worker:claimed=explode"/);
  });
});
