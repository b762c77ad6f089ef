import JSON5 from 'json5';
import type { DateTime } from 'luxon';
import type { Json } from '@app/engine';
import { toDateTime } from './date.ts';
import { isRecord } from './guards.ts';

export type ValueType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'dateTime';

/** null: the value is not of that type and cannot be converted to it. */
export type Converted = { readonly value: Json | DateTime } | null;

export interface ConversionRules {
  /** True: the value must already be of the type; dates are read from text even then. */
  readonly strict: boolean;
  readonly zone: string;
}

/** Reads a value as one of the types a workflow author can choose. null and undefined are of every type. */
export function convert(value: unknown, type: ValueType, rules: ConversionRules): Converted {
  if (value === null || value === undefined) return { value };
  switch (type) {
    case 'string':
      return typeof value === 'string' ? { value } : rules.strict ? null : { value: textOf(value) };
    case 'number':
      return typeof value === 'number' ? { value } : rules.strict ? null : toNumber(value);
    case 'boolean':
      return typeof value === 'boolean' ? { value } : rules.strict ? null : toBoolean(value);
    case 'array':
      return Array.isArray(value) ? { value: value as Json } : rules.strict ? null : toList(value);
    case 'object':
      return isRecord(value) ? { value } : rules.strict ? null : toRecord(value);
    case 'dateTime': {
      const moment = toDateTime(value, rules.zone);
      return moment && { value: moment };
    }
  }
}

/** How a value reads inside a text: dates as ISO 8601, other objects and lists as JSON. */
export function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const plain: unknown = 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value;
  return typeof plain === 'string' ? plain : JSON.stringify(plain);
}

/** What a message calls the type of a value. */
export const typeNameOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

function toNumber(value: unknown): Converted {
  const number = Number(value);
  return Number.isNaN(number) ? null : { value: number };
}

function toBoolean(value: unknown): Converted {
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  if (word === 'true') return { value: true };
  if (word === 'false') return { value: false };
  const number = Number(value);
  return number === 1 ? { value: true } : number === 0 ? { value: false } : null;
}

function toList(value: unknown): Converted {
  const list = typeof value === 'string' ? lenientJson(value) : undefined;
  return Array.isArray(list) ? { value: list as Json } : null;
}

function toRecord(value: unknown): Converted {
  const record = typeof value === 'string' ? lenientJson(value) : undefined;
  return isRecord(record) ? { value: record } : null;
}

/** JSON, or what people type instead: single quotes, bare keys, trailing commas. undefined: neither. */
export function lenientJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    try {
      return JSON5.parse<Json>(text);
    } catch {
      return undefined;
    }
  }
}
