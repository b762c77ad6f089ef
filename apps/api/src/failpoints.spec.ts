import { describe, expect, it } from 'vitest';
import { Failpoints } from './failpoints.ts';

describe('failpoints', () => {
  const deaths = (entries: string[], chance = 0) => {
    let count = 0;
    const points = new Failpoints(
      entries,
      () => chance,
      () => void count++,
    );
    points.reach('api:after-commit-before-send');
    points.reach('api:after-commit-before-response');
    return count;
  };

  it('do nothing unless armed', () => {
    expect(['', 'worker:after-claim=kill', 'api:elsewhere=kill', 'nonsense', 'api:after-commit-before-send'].map((entry) => deaths([entry]))).toEqual([0, 0, 0, 0, 0]);
  });

  it('kill at the named place, as often as the share says', () => {
    expect(deaths(['worker:x=delay50', 'api:after-commit-before-send=kill'])).toBe(1);
    expect(deaths(['api:after-commit-before-send=kill:0.5'], 0.4)).toBe(1);
    expect(deaths(['api:after-commit-before-send=kill:0.5'], 0.6)).toBe(0);
  });

  it('kill at the nth passing alone', () => {
    let count = 0;
    const points = new Failpoints(
      ['api:after-commit-before-send=kill@2'],
      () => 0,
      () => void count++,
    );
    const counts = [1, 2, 3].map(() => {
      points.reach('api:after-commit-before-send');
      return count;
    });
    expect(counts).toEqual([0, 1, 1]);
  });
});
