import type { Item, Json, JsonObject, PropertyDescription } from '@app/engine';
import { describeNode } from '../description.ts';
import { emit } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import type { NodeType } from '../node-type.ts';
import { choice, entries, flag, settings, text } from '../parameters/properties.ts';
import { contentKey } from '../values/equal.ts';
import { commaList, isList, isRecord } from '../values/guards.ts';
import { readPath } from '../values/path.ts';
import { aggregated, aggregationOf, isBlank, outputKey, plainName, type Aggregation } from './aggregations.ts';

export const summarizeProperties: readonly PropertyDescription[] = [
  entries('fieldsToSummarize', 'values', [
    choice('aggregation', 'count', ['append', 'average', 'concatenate', 'count', 'countUnique', 'max', 'min', 'sum']),
    text('field'),
    flag('includeEmpty', false),
    text('separateBy', ','),
    text('customSeparator'),
  ]),
  text('fieldsToSplitBy'),
  settings([
    flag('continueIfFieldNotFound', false),
    flag('disableDotNotation', false),
    choice('outputFormat', 'separateItems', ['separateItems', 'singleItem']),
    flag('skipEmptySplitFields', false),
  ]),
];

/** Like a pivot table: totals over all items, or one item per group. */
export const summarize: NodeType = {
  description: describeNode({ name: 'summarize', displayName: 'Summarize', versions: [1, 1.1], properties: summarizeProperties }),
  run: (context) => emit(summarized(context, context.node.version === 1)),
};

interface Row {
  readonly json: JsonObject;
  readonly index: number;
}

interface Group {
  /** Values of the fields split by, in their order. */
  readonly path: readonly Json[];
  readonly rows: readonly Row[];
}

/** `textGroups`: the first version turns group values into text and refuses fields that no item has. */
export function summarized(context: NodeContext, textGroups: boolean): Item[] {
  context.signal.throwIfAborted();
  const rows = context.items().map(({ json }, index): Row => ({ json, index }));
  const options = context.parameter<JsonObject>('options', 0, {});
  const dots = options['disableDotNotation'] !== true;
  const read = (row: Row, field: string): Json => readPath(row.json, field, dots);
  const aggregations = aggregationsOf(context);
  if (textGroups && options['continueIfFieldNotFound'] !== true) checkFields(rows, aggregations, read);

  const splitBy = commaList(context.parameter('fieldsToSplitBy', 0, ''));
  const kept = options['skipEmptySplitFields'] === true ? rows.filter((row) => !splitBy.some((field) => isBlank(read(row, field)))) : rows;
  const groups = groupsOf(kept, splitBy, read);
  const totals = (group: Group): JsonObject =>
    Object.fromEntries(aggregations.map((each) => [outputKey(each), aggregated(group.rows.map((row) => read(row, each.field)), each)]));
  if (options['outputFormat'] === 'singleItem') {
    return [{ json: nested(groups, totals), pairedItem: rows.map(({ index }) => ({ item: index })) }];
  }
  return groups.map((group) => ({
    json: {
      ...totals(group),
      ...Object.fromEntries(splitBy.map((field, level) => [plainName(field), textGroups ? String(group.path[level]) : group.path[level]])),
    },
    pairedItem: group.rows.map(({ index }) => ({ item: index })),
  }));
}

function aggregationsOf(context: NodeContext): Aggregation[] {
  const values = context.parameter<Json>('fieldsToSummarize.values', 0, []);
  const aggregations = (isList(values) ? values.filter(isRecord) : []).map(aggregationOf);
  if (aggregations.length > 0 && aggregations.every(({ field }) => field !== '')) return aggregations;
  throw new NodeError("You need to add at least one aggregation to 'Fields to Summarize' with non empty 'Field'", { retryable: false });
}

function checkFields(rows: readonly Row[], aggregations: readonly Aggregation[], read: (row: Row, field: string) => Json): void {
  for (const { field } of aggregations) {
    if (rows.some((row) => read(row, field) !== undefined)) continue;
    throw new NodeError(`The field '${field}' does not exist in any items`, {
      retryable: false,
      description: 'Correct the name, or turn on the option continueIfFieldNotFound.',
    });
  }
}

/** Groups in the order of their first item, level by level: all groups of a first value stand together. */
function groupsOf(rows: readonly Row[], splitBy: readonly string[], read: (row: Row, field: string) => Json, path: readonly Json[] = []): Group[] {
  const [field, ...deeper] = splitBy;
  if (field === undefined) return [{ path, rows }];
  const byValue = new Map<string, { readonly value: Json; readonly rows: Row[] }>();
  for (const row of rows) {
    const value = read(row, field);
    const key = contentKey(value);
    const group = byValue.get(key);
    if (group) group.rows.push(row);
    else byValue.set(key, { value, rows: [row] });
  }
  return [...byValue.values()].flatMap((group) => groupsOf(group.rows, deeper, read, [...path, group.value]));
}

/** By the values of the groups. Those come from the items: on an ordinary object `__proto__` would reach every object there is. */
function nested(groups: readonly Group[], totals: (group: Group) => JsonObject): JsonObject {
  const none = (): JsonObject => Object.create(null) as JsonObject;
  const result = none();
  for (const group of groups) {
    if (group.path.length === 0) return totals(group);
    let level = result;
    for (const value of group.path.slice(0, -1)) level = (level[String(value)] ??= none()) as JsonObject;
    level[String(group.path.at(-1))] = totals(group);
  }
  return result;
}
