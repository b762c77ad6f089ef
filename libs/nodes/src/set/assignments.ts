import type { Item, Json, JsonObject } from '@app/engine';
import type { NodeContext } from '../node-context.ts';
import { isList, isRecord } from '../values/guards.ts';

export interface Assignment {
  readonly name: string;
  readonly type: string;
  readonly value: Json;
}

/** The assignments of one item, with names and values resolved: `assignments` from 3.3 on, `fields` before. */
export function assignmentsOf(context: NodeContext, itemIndex: number): Assignment[] {
  if (context.node.version >= 3.3) {
    return recordsOf(context.parameter<Json>('assignments.assignments', itemIndex, [])).map((entry) => ({
      name: String(entry['name'] ?? ''),
      type: String(entry['type'] ?? 'string'),
      value: entry['value'],
    }));
  }
  return recordsOf(context.parameter<Json>('fields.values', itemIndex, [])).map((entry) => {
    const key = String(entry['type'] ?? 'stringValue');
    return { name: String(entry['name'] ?? ''), type: key.replace(/Value$/, ''), value: entry[key] };
  });
}

const recordsOf = (value: Json): JsonObject[] => (isList(value) ? value.filter(isRecord) : []);

/** A file given under a name: the object itself, or the name of a file of the input item. */
export function assignedFile(value: Json, item: Item): NonNullable<Item['binary']>[string] | undefined {
  if (typeof value === 'string') return item.binary?.[value];
  return isRecord(value) && typeof value['mimeType'] === 'string'
    ? (value as unknown as NonNullable<Item['binary']>[string])
    : undefined;
}
