import type { Item, Json, JsonObject } from '@app/engine';
import { NodeError } from '../node-error.ts';
import { contentKey } from '../values/equal.ts';
import { commaList, isRecord } from '../values/guards.ts';
import { readPath } from '../values/path.ts';

export interface Comparison {
  readonly compare: string;
  readonly fieldsToCompare: unknown;
  readonly fieldsToExclude: unknown;
  readonly dots: boolean;
  readonly nodeVersion: number;
}

/** The names compared. All fields of all items, unless selected; nested objects count by their leaves. */
export function comparedFields(items: readonly Item[], { compare, fieldsToCompare, fieldsToExclude, dots }: Comparison): string[] {
  if (compare === 'selectedFields') return named(commaList(fieldsToCompare));
  const all = [...new Set(items.flatMap((item) => (dots ? leafPaths(item.json) : Object.keys(item.json))))];
  if (compare !== 'allFieldsExcept') return all;
  const excluded = named(commaList(fieldsToExclude));
  return all.filter((field) => !excluded.some((name) => field === name || (dots && field.startsWith(`${name}.`))));
}

function named(fields: string[]): string[] {
  if (fields.length > 0) return fields;
  throw new NodeError('No fields specified. Please add a field to compare.', { retryable: false });
}

const leafPaths = (json: JsonObject, prefix = ''): string[] =>
  Object.entries(json).flatMap(([key, value]) =>
    isRecord(value) && Object.keys(value).length > 0 ? leafPaths(value, `${prefix}${key}.`) : [`${prefix}${key}`],
  );

/** Where each item stands first, in input order. Throws when a field is missing or changes its type between items. */
export function firstOccurrences(items: readonly Item[], fields: readonly string[], rules: Comparison): Item[] {
  for (const field of fields) checkField(items, field, rules);
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = contentKey(fields.map((field) => readPath(item.json, field, rules.dots)));
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function checkField(items: readonly Item[], field: string, rules: Comparison): void {
  let type: string | null = null;
  for (const item of items) {
    const value: Json = readPath(item.json, field, rules.dots);
    if (value === null && rules.nodeVersion > 1) continue;
    if (value === undefined) {
      throw new NodeError(`'${field}' field is missing from some input items`, {
        retryable: false,
        description: 'Compare selected fields that every item has.',
      });
    }
    if (type !== null && type !== typeof value) {
      throw new NodeError(`'${field}' isn't always the same type`, {
        retryable: false,
        description: `It is a ${type} in some items and a ${typeof value} in others.`,
      });
    }
    type = typeof value;
  }
}
