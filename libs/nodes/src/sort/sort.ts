import type { Item, Json, JsonObject } from '@app/engine';
import { describeNode } from '../description.ts';
import { codeFailure } from '../code/code-failure.ts';
import { emit } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import type { NodeType } from '../node-type.ts';
import { choice, entries, flag, settings, text, when } from '../parameters/properties.ts';
import { isEqual } from '../values/equal.ts';
import { isList, isRecord } from '../values/guards.ts';
import { readPath } from '../values/path.ts';
import { shuffled } from './shuffle.ts';

/** Puts the items of one run into another order. */
export const sort: NodeType = {
  description: describeNode({
    name: 'sort',
    displayName: 'Sort',
    properties: [
      choice('type', 'simple', ['simple', 'random', 'code']),
      entries(
        'sortFieldsUi',
        'sortField',
        [{ ...text('fieldName'), required: true }, choice('order', 'ascending', ['ascending', 'descending'])],
        when({ type: ['simple'] }),
      ),
      text('code', '', when({ type: ['code'] })),
      settings([flag('disableDotNotation', false)], when({ type: ['simple'] })),
    ],
  }),
  run: async (context) => {
    context.signal.throwIfAborted();
    const input = context.items();
    const type = context.parameter('type', 0, 'simple');
    if (type === 'random') return emit(shuffled(input, context.idempotencyKey(0)));
    return emit(type === 'code' ? await sortedByCode(context, input) : sortedByFields(context, input));
  },
};

function sortedByFields(context: NodeContext, input: readonly Item[]): Item[] {
  const dots = context.parameter<JsonObject>('options', 0, {})['disableDotNotation'] !== true;
  const fields = listOf(context.parameter<Json>('sortFieldsUi.sortField', 0, []));
  if (fields.length === 0) throw new NodeError('No sorting specified. Please add a field to sort by.', { retryable: false });
  const names = fields.map((field) => String(field['fieldName'] ?? ''));
  const rows = input.map((item) => ({ item, keys: names.map((name) => sortKey(readPath(item.json, name, dots))) }));
  names.forEach((name, index) => {
    if (rows.length === 0 || rows.some(({ keys }) => keys[index] !== undefined)) return;
    throw new NodeError(`Couldn't find the field '${name}' in the input data`, {
      retryable: false,
      description: dots && name.includes('.') ? 'If the name holds a dot itself, turn on the option disableDotNotation.' : 'Check the spelling.',
    });
  });
  const directions = fields.map((field) => (field['order'] === 'descending' ? -1 : 1));
  return rows.sort((a, b) => compareKeys(a.keys, b.keys, directions)).map(({ item }) => item);
}

const listOf = (value: Json): JsonObject[] => (isList(value) ? value.filter(isRecord) : []);

/** Capitals do not matter. */
const sortKey = (value: Json): Json => (typeof value === 'string' ? value.toLowerCase() : value);

function compareKeys(left: readonly Json[], right: readonly Json[], directions: readonly number[]): number {
  for (const [index, direction] of directions.entries()) {
    const [a, b] = [left[index], right[index]];
    if (!isEqual(a, b)) return (isLess(a, b) ? -1 : 1) * direction;
  }
  return 0;
}

const isLess = (a: Json, b: Json): boolean => (a as number) < (b as number);

/** The author's comparator gets two items `a` and `b`. It runs in the sandbox, which answers with the order alone. */
async function sortedByCode(context: NodeContext, input: readonly Item[]): Promise<Item[]> {
  const comparator = context.rawParameter<string>('code', '');
  if (!/\breturn\b/.test(comparator)) {
    throw new NodeError("Sort code doesn't return. Please add a 'return' statement to your code.", { retryable: false });
  }
  const source = `const compare = (a, b) => {${comparator}\n};
const all = $input.all();
return { order: all.map((_, index) => index).sort((left, right) => compare(all[left], all[right])) };`;
  const { results } = await context.runCode({ code: source, mode: 'all' });
  const { value, error } = results[0] ?? {};
  if (error) throw codeFailure(error);
  const order = isRecord(value) && isList(value['order']) ? value['order'] : [];
  return order.map((index) => input[Number(index)]!);
}
