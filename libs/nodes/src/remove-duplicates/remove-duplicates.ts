import type { Item, JsonObject, PropertyDescription } from '@app/engine';
import { describeNode } from '../description.ts';
import { emit } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import type { NodeType } from '../node-type.ts';
import { atLeast, choice, flag, number, settings, text, when } from '../parameters/properties.ts';
import { readPath, writePath } from '../values/path.ts';
import { comparedFields, firstOccurrences, type Comparison } from './compared-fields.ts';
import { forgetSeen, splitBySeen } from './seen-before.ts';

const withinInput = 'removeDuplicateInputItems';
const acrossExecutions = 'removeItemsSeenInPreviousExecutions';
const seen = when({ operation: [acrossExecutions] });

export const duplicateProperties: readonly PropertyDescription[] = [
  choice('compare', 'allFields', ['allFields', 'allFieldsExcept', 'selectedFields']),
  text('fieldsToExclude', '', when({ compare: ['allFieldsExcept'] })),
  text('fieldsToCompare', '', when({ compare: ['selectedFields'] })),
];

/** Keeps the first of equal items, within the input or across executions (second output: the discarded ones). */
export const removeDuplicates: NodeType = {
  description: describeNode({
    name: 'removeDuplicates',
    displayName: 'Remove Duplicates',
    versions: [1, 1.1, 2],
    usesStaticData: true,
    outputs: (version, parameters) => (version >= 2 && parameters['operation'] === acrossExecutions ? 2 : 1),
    properties: [
      choice('operation', withinInput, [withinInput, acrossExecutions, 'clearDeduplicationHistory'], when({ '@version': [atLeast(2)] })),
      ...duplicateProperties.map((property) => ({
        ...property,
        displayOptions: { show: { ...property.displayOptions?.show }, hide: { operation: [acrossExecutions, 'clearDeduplicationHistory'] } },
      })),
      choice(
        'logic',
        'removeItemsWithAlreadySeenKeyValues',
        ['removeItemsWithAlreadySeenKeyValues', 'removeItemsUpToStoredIncrementalKey', 'removeItemsUpToStoredDate'],
        seen,
      ),
      text('dedupeValue', '', when({ operation: [acrossExecutions], logic: ['removeItemsWithAlreadySeenKeyValues'] })),
      text('incrementalDedupeValue', '', when({ operation: [acrossExecutions], logic: ['removeItemsUpToStoredIncrementalKey'] })),
      text('dateDedupeValue', '', when({ operation: [acrossExecutions], logic: ['removeItemsUpToStoredDate'] })),
      settings([
        flag('disableDotNotation', false),
        flag('removeOtherFields', false),
        choice('scope', 'node', ['node', 'workflow']),
        number('historySize', 10_000),
      ]),
    ],
  }),
  run: (context) => {
    context.signal.throwIfAborted();
    const operation = context.parameter('operation', 0, withinInput);
    if (operation === acrossExecutions) {
      const { kept, discarded } = splitBySeen(context, context.items());
      return emit(kept, discarded);
    }
    if (operation === 'clearDeduplicationHistory') {
      forgetSeen(context);
      return emit(context.items());
    }
    return emit(withoutDuplicates(context));
  },
};

export function withoutDuplicates(context: NodeContext): Item[] {
  const items = context.items();
  const options = context.parameter<JsonObject>('options', 0, {});
  const comparison: Comparison = {
    compare: context.parameter<string>('compare', 0, 'allFields'),
    fieldsToCompare: context.parameter('fieldsToCompare', 0, ''),
    fieldsToExclude: context.parameter('fieldsToExclude', 0, ''),
    dots: options['disableDotNotation'] !== true,
    nodeVersion: context.node.version,
  };
  const fields = comparedFields(items, comparison);
  const kept = firstOccurrences(items, fields, comparison);
  return options['removeOtherFields'] === true ? kept.map((item) => onlyFields(item, fields, comparison.dots)) : kept;
}

function onlyFields(item: Item, fields: readonly string[], dots: boolean): Item {
  const json: JsonObject = {};
  for (const field of fields) writePath(json, field, readPath(item.json, field, dots), dots);
  return { ...item, json };
}
