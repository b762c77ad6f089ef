import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@app/engine';
import { firstOf, jsonOf } from '../../testing/run-node.ts';
import { removeDuplicates } from './remove-duplicates.ts';

const inputs = [[{ id: 1, n: 'x', at: 1 }, { id: 2, n: 'y', at: 2 }, { id: 1, n: 'x', at: 3 }, { id: 1, n: 'z', at: 4 }]];
const places = async (parameters: JsonObject): Promise<unknown[]> => (await firstOf(removeDuplicates, { parameters, inputs })).map((json) => json['at']);

describe('Remove Duplicates within the input', () => {
  it.each([
    [{}, [1, 2, 3, 4]],
    [{ compare: 'allFieldsExcept', fieldsToExclude: 'at' }, [1, 2, 4]],
    [{ compare: 'selectedFields', fieldsToCompare: 'id' }, [1, 2]],
  ])('keeps the first of equal items with %j', async (parameters, expected) => {
    expect(await places(parameters)).toEqual(expected);
  });

  it('keeps the compared fields only when told', async () => {
    const parameters = { compare: 'selectedFields', fieldsToCompare: 'id', options: { removeOtherFields: true } };
    expect(await firstOf(removeDuplicates, { parameters, inputs })).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('refuses fields that are missing or change their type, nested ones too', async () => {
    await expect(firstOf(removeDuplicates, { inputs: [[{ o: { a: 1, b: 2 } }, { o: { a: 2 } }]] })).rejects.toThrow(`'o.b' field is missing`);
    await expect(firstOf(removeDuplicates, { inputs: [[{ a: 1 }, { a: '1' }]] })).rejects.toThrow(/isn't always the same type/);
    expect(await firstOf(removeDuplicates, { inputs: [[{ a: 1 }, { a: null }]] })).toHaveLength(2);
  });
});

describe('Remove Duplicates across executions', () => {
  const across = { operation: 'removeItemsSeenInPreviousExecutions' };

  it('discards what an earlier execution has seen, equal values standing together', async () => {
    const staticData: JsonObject = {};
    const parameters = { ...across, dedupeValue: '={{ $json.id }}' };
    const run = (...ids: number[]) => jsonOf(removeDuplicates, { parameters, staticData, inputs: [ids.map((id) => ({ id }))] });
    expect(await run(1, 2, 1)).toEqual([[{ id: 1 }, { id: 1 }, { id: 2 }], []]);
    expect(await run(2, 3)).toEqual([[{ id: 3 }], [{ id: 2 }]]);
    expect(removeDuplicates.description.outputs(2, parameters)).toBe(2);
  });

  it('remembers so many values and no more', async () => {
    const staticData: JsonObject = {};
    const parameters = { ...across, dedupeValue: '={{ $json.id }}', options: { historySize: 2 } };
    const run = (...ids: number[]) => jsonOf(removeDuplicates, { parameters, staticData, inputs: [ids.map((id) => ({ id }))] });
    await run(1, 2, 3);
    expect(await run(1, 3)).toEqual([[{ id: 1 }], [{ id: 3 }]]);
  });

  it('keeps only values above, or dates after, all earlier ones', async () => {
    const staticData: JsonObject = {};
    const parameters = { ...across, logic: 'removeItemsUpToStoredIncrementalKey', incrementalDedupeValue: '={{ $json.id }}' };
    const run = (...ids: number[]) => jsonOf(removeDuplicates, { parameters, staticData, inputs: [ids.map((id) => ({ id }))] });
    expect(await run(5, 3)).toEqual([[{ id: 5 }, { id: 3 }], []]);
    expect(await run(4, 6)).toEqual([[{ id: 6 }], [{ id: 4 }]]);
    const dates = { ...across, logic: 'removeItemsUpToStoredDate', dateDedupeValue: '={{ $json.d }}' };
    await expect(jsonOf(removeDuplicates, { parameters: dates, staticData: {}, inputs: [[{ d: 'soon' }]] })).rejects.toThrow(/not a date/);
  });

  it('forgets when told and passes the items through', async () => {
    const staticData: JsonObject = { 'removeDuplicates.seen': ['1'] };
    const parameters = { operation: 'clearDeduplicationHistory' };
    expect(await jsonOf(removeDuplicates, { parameters, staticData, inputs: [[{ id: 1 }]] })).toEqual([[{ id: 1 }]]);
    expect(staticData).toEqual({});
  });
});
