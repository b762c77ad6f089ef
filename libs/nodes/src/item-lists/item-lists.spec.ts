import { describe, expect, it } from 'vitest';
import { firstOf } from '../../testing/run-node.ts';
import { itemLists } from './item-lists.ts';

describe('Item Lists', () => {
  it.each([
    [{ fieldToSplitOut: 'l' }, [{ l: [1, 2] }], [{ l: 1 }, { l: 2 }]],
    [{ operation: 'concatenateItems', aggregate: 'aggregateAllItemData' }, [{ a: 1 }], [{ data: [{ a: 1 }] }]],
    [{ operation: 'removeDuplicates', compare: 'selectedFields', fieldsToCompare: 'a' }, [{ a: 1 }, { a: 1 }], [{ a: 1 }]],
    [{ operation: 'sort', sortFieldsUi: { sortField: [{ fieldName: 'a' }] } }, [{ a: 2 }, { a: 1 }], [{ a: 1 }, { a: 2 }]],
    [{ operation: 'limit' }, [{ a: 2 }, { a: 1 }], [{ a: 2 }]],
    [{ operation: 'summarize', fieldsToSummarize: { values: [{ aggregation: 'sum', field: 'a' }] } }, [{ a: 2 }, { a: 1 }], [{ sum_a: 3 }]],
  ])('%j', async (parameters, input, expected) => {
    expect(await firstOf(itemLists, { parameters, inputs: [input] })).toEqual(expected);
  });

  it('refuses an operation it does not know', async () => {
    await expect(firstOf(itemLists, { parameters: { operation: 'invent' } })).rejects.toThrow(/Unknown operation/);
  });
});
