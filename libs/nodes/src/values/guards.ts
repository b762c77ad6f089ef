import type { Json, JsonObject } from '@app/engine';

/** An object with named members: no list, no null. */
export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isList = (value: unknown): value is readonly Json[] => Array.isArray(value);

/** Parameter texts that start with `=` are expressions; everything else is meant literally. */
export const isExpression = (value: unknown): value is `=${string}` => typeof value === 'string' && value.startsWith('=');

/** `"a, b ,,c"` → `["a", "b", "c"]`: how lists of field names are typed into one text parameter. */
export const commaList = (text: unknown): string[] =>
  isList(text)
    ? text.map(String)
    : String(text ?? '')
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
