import { describe, expect, it } from 'vitest';
import { firstOf } from '../../testing/run-node.ts';
import { limit } from './limit.ts';

const inputs = [[{ n: 1 }, { n: 2 }, { n: 3 }]];

describe('Limit', () => {
  it.each([
    [{}, [{ n: 1 }]],
    [{ maxItems: 2 }, [{ n: 1 }, { n: 2 }]],
    [{ maxItems: 2, keep: 'lastItems' }, [{ n: 2 }, { n: 3 }]],
    [{ maxItems: 9, keep: 'lastItems' }, inputs[0]],
    [{ maxItems: 0, keep: 'lastItems' }, []],
  ])('with %j', async (parameters, expected) => {
    expect(await firstOf(limit, { parameters, inputs })).toEqual(expected);
  });

  it('refuses a limit that is no number', async () => {
    await expect(firstOf(limit, { parameters: { maxItems: 'many' }, inputs })).rejects.toThrow(/has to be a number/);
  });
});
