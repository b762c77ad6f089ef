import type { Json, JsonObject } from '@app/engine';
import { contentKey } from '../values/equal.ts';
import { textOf } from '../values/convert.ts';

export interface Aggregation {
  readonly kind: string;
  readonly field: string;
  readonly includeEmpty: boolean;
  readonly separator: string;
}

/** Reads one entry of `fieldsToSummarize.values`. */
export function aggregationOf(entry: JsonObject): Aggregation {
  const separateBy = String(entry['separateBy'] ?? ',');
  return {
    kind: String(entry['aggregation'] ?? 'count'),
    field: String(entry['field'] ?? ''),
    includeEmpty: entry['includeEmpty'] === true,
    separator: separateBy === 'other' ? String(entry['customSeparator'] ?? '') : separateBy.replace('\\n', '\n'),
  };
}

const prefixes: { readonly [kind: string]: string } = {
  append: 'appended_',
  average: 'average_',
  concatenate: 'concatenated_',
  count: 'count_',
  countUnique: 'unique_count_',
  max: 'max_',
  min: 'min_',
  sum: 'sum_',
};

export const outputKey = ({ kind, field }: Aggregation): string => `${prefixes[kind] ?? `${kind}_`}${plainName(field)}`;

/** A field name that can be written as `$json.name`. */
export const plainName = (field: string): string => field.replace(/[\][" ]/g, (sign) => (sign === ' ' ? '_' : '')).replace(/\./g, '_');

export function aggregated(values: readonly Json[], { kind, includeEmpty, separator }: Aggregation): Json {
  const given = includeEmpty ? values : values.filter((value) => !isBlank(value));
  switch (kind) {
    case 'append':
      return given.map((value) => value ?? null);
    case 'concatenate':
      return given.map((value) => (value === undefined ? '' : textOf(value))).join(separator);
    case 'count':
      return given.length;
    case 'countUnique':
      return new Set(given.map(contentKey)).size;
    case 'sum':
      return sum(values);
    case 'average': {
      const numbers = numbersIn(values);
      return numbers.length === 0 ? 0 : sum(numbers) / numbers.length;
    }
    case 'min':
      return extreme(values, (value, best) => value < best);
    case 'max':
      return extreme(values, (value, best) => value > best);
    default:
      return null;
  }
}

export const isBlank = (value: Json): boolean => value === undefined || value === null || value === '';

/** Text that looks like a number is not added up. */
const numbersIn = (values: readonly Json[]): number[] => values.filter((value): value is number => typeof value === 'number');

const sum = (values: readonly Json[]): number => numbersIn(values).reduce((total, value) => total + value, 0);

function extreme(values: readonly Json[], isBetter: (value: number, best: number) => boolean): Json {
  let best: Json = null;
  for (const value of values) {
    if (isBlank(value)) continue;
    if (best === null || isBetter(value as number, best as number)) best = value;
  }
  return best;
}
