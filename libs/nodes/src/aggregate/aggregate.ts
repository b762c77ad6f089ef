import type { Item, Json, JsonObject } from '@app/engine';
import { describeNode } from '../description.ts';
import { emit } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import type { NodeType } from '../node-type.ts';
import { choice, entries, flag, settings, text, when } from '../parameters/properties.ts';
import { commaList, isList, isRecord } from '../values/guards.ts';
import { pathOf, readPath, writePath } from '../values/path.ts';
import { collectedFiles } from './collected-files.ts';

const individual = when({ aggregate: ['aggregateIndividualFields'] });
const whole = when({ aggregate: ['aggregateAllItemData'] });

/** Many items into one: chosen fields each into a list, or whole items into a single list. */
export const aggregate: NodeType = {
  description: describeNode({
    name: 'aggregate',
    displayName: 'Aggregate',
    properties: [
      choice('aggregate', 'aggregateIndividualFields', ['aggregateIndividualFields', 'aggregateAllItemData']),
      entries(
        'fieldsToAggregate',
        'fieldToAggregate',
        [text('fieldToAggregate'), flag('renameField', false), text('outputFieldName', '', when({ renameField: [true] }))],
        individual,
      ),
      text('destinationFieldName', 'data', whole),
      choice('include', 'allFields', ['allFields', 'specifiedFields', 'allFieldsExcept'], whole),
      text('fieldsToExclude', '', when({ aggregate: ['aggregateAllItemData'], include: ['allFieldsExcept'] })),
      text('fieldsToInclude', '', when({ aggregate: ['aggregateAllItemData'], include: ['specifiedFields'] })),
      settings([
        flag('disableDotNotation', false),
        flag('mergeLists', false),
        flag('keepMissing', false),
        flag('includeBinaries', false),
        flag('keepOnlyUnique', false),
      ]),
    ],
  }),
  run: (context) => {
    context.signal.throwIfAborted();
    const input = context.items();
    const options = context.parameter<JsonObject>('options', 0, {});
    const isWhole = context.parameter('aggregate', 0, 'aggregateIndividualFields') === 'aggregateAllItemData';
    const json = isWhole ? wholeItems(context, input) : individualFields(context, input, options);
    const output: Item = { json, pairedItem: input.map((_, item) => ({ item })) };
    if (options['includeBinaries'] === true) output.binary = collectedFiles(input, options['keepOnlyUnique'] === true);
    return emit([output]);
  },
};

function individualFields(context: NodeContext, input: readonly Item[], options: JsonObject): JsonObject {
  const dots = options['disableDotNotation'] !== true;
  const fields = listOf(context.parameter<Json>('fieldsToAggregate.fieldToAggregate', 0, []));
  if (fields.length === 0) {
    throw new NodeError('No fields specified. Please add a field to aggregate.', { retryable: false });
  }
  const json: JsonObject = {};
  const used = new Set<string>();
  for (const field of fields) {
    const from = String(field['fieldToAggregate'] ?? '');
    const to = field['renameField'] === true ? String(field['outputFieldName'] ?? '') : dots ? (pathOf(from).at(-1) ?? from) : from;
    if (used.has(to)) {
      throw new NodeError(`The '${to}' output field is used more than once`, {
        retryable: false,
        description: 'Rename one of the output fields.',
      });
    }
    used.add(to);
    writePath(json, to, input.flatMap((item) => valuesOf(readPath(item.json, from, dots), options)), dots);
  }
  return json;
}

function valuesOf(value: Json, options: JsonObject): Json[] {
  const kept = (each: Json): Json[] => (each ?? null) === null ? (options['keepMissing'] === true ? [null] : []) : [each];
  return options['mergeLists'] === true && isList(value) ? value.flatMap(kept) : kept(value);
}

function wholeItems(context: NodeContext, input: readonly Item[]): JsonObject {
  const include = context.parameter('include', 0, 'allFields');
  const included = include === 'specifiedFields' ? new Set(commaList(context.parameter('fieldsToInclude', 0, ''))) : null;
  const excluded = include === 'allFieldsExcept' ? new Set(commaList(context.parameter('fieldsToExclude', 0, ''))) : null;
  const rows = input.map(({ json }) =>
    included || excluded
      ? Object.fromEntries(Object.entries(json).filter(([key]) => (included ? included.has(key) : !excluded!.has(key))))
      : json,
  );
  const kept = included || excluded ? rows.filter((row) => Object.keys(row).length > 0) : rows;
  return { [context.parameter<string>('destinationFieldName', 0, 'data')]: kept };
}

const listOf = (value: Json): JsonObject[] => (isList(value) ? value.filter(isRecord) : []);
