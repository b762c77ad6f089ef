import type { Json, JsonObject, PropertyDescription } from '@app/engine';
import type { NodeContext } from '../node-context.ts';
import { anything, flag, number, text } from '../parameters/properties.ts';
import { isList, isRecord } from '../values/guards.ts';
import { legacyDefaults, legacyHolds, type LegacyKind } from './legacy-comparison.ts';

const kinds: readonly LegacyKind[] = ['boolean', 'dateTime', 'number', 'string'];

/** `conditions.{boolean,dateTime,number,string}[]` of the first versions of If and Filter. */
export const legacyConditions = (options: Pick<PropertyDescription, 'displayOptions'>): PropertyDescription => ({
  name: 'conditions',
  type: 'fixedCollection',
  default: {},
  typeOptions: { multipleValues: true },
  options: [
    { name: 'boolean', values: [flag('value1', false), text('operation', 'equal'), flag('value2', false)] },
    {
      name: 'dateTime',
      values: [anything('value1', 'dateTime', ''), text('operation', 'after'), anything('value2', 'dateTime', '')],
    },
    { name: 'number', values: [number('value1', 0), text('operation', 'smaller'), number('value2', 0)] },
    { name: 'string', values: [text('value1'), text('operation', 'equal'), text('value2')] },
  ],
  ...options,
});

/** Whether an item meets the conditions; kinds are compared in a fixed order and the first verdict that decides ends it. */
export function meetsLegacy(context: NodeContext, combine: 'all' | 'any', itemIndex: number): boolean {
  const conditions = context.parameter<JsonObject>('conditions', itemIndex, {});
  for (const kind of kinds) {
    for (const condition of listOf(conditions[kind])) {
      const operation = String(condition['operation'] ?? legacyDefaults[kind]);
      const holds = legacyHolds(kind, operation, condition['value1'], condition['value2'], context.workflow.timezone);
      if (holds === (combine === 'any')) return holds;
    }
  }
  return combine === 'all';
}

const listOf = (value: Json): JsonObject[] => (isList(value) ? value.filter(isRecord) : []);
