import { DateTime } from 'luxon';
import { ExpressionExtensionError } from '../errors.ts';
import type { Evaluation } from '../language/evaluation.ts';
import { chargeText } from '../language/guards.ts';
import { ARRAY_EXTENSIONS } from './array.ts';
import { BOOLEAN_EXTENSIONS } from './boolean.ts';
import { DATE_EXTENSIONS } from './date.ts';
import type { Extension, Extensions } from './extension.ts';
import { NUMBER_EXTENSIONS } from './number.ts';
import { OBJECT_EXTENSIONS } from './object.ts';
import { STRING_EXTENSIONS } from './string.ts';

const TYPES: Readonly<Record<string, Extensions<never>>> = {
  Array: ARRAY_EXTENSIONS,
  String: STRING_EXTENSIONS,
  Number: NUMBER_EXTENSIONS,
  Date: DATE_EXTENSIONS,
  Object: OBJECT_EXTENSIONS,
  Boolean: BOOLEAN_EXTENSIONS,
};

const NAMES = new Set(Object.values(TYPES).flatMap((extensions) => Object.keys(extensions)));

export function isExtensionName(name: string): boolean {
  return NAMES.has(name);
}

/** Texts in exactly this form are treated as dates. */
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const isIso = (text: string): boolean => text.length === 24 && ISO.test(text);

export type Dispatch = { readonly extension: Extension<unknown>; readonly value: unknown };

/** The extension `value.name()` means, with the value as that extension takes it; undefined when the value's type has none. */
export function findExtension(value: unknown, name: string): Dispatch | undefined {
  if (Array.isArray(value)) return own(ARRAY_EXTENSIONS, name, value);
  switch (typeof value) {
    case 'string':
      if (name !== 'toDate' && name !== 'toDateTime' && isIso(value)) return own(DATE_EXTENSIONS, name, new Date(value));
      return own(STRING_EXTENSIONS, name, value);
    case 'number':
      return own(NUMBER_EXTENSIONS, name, value);
    case 'boolean':
      return own(BOOLEAN_EXTENSIONS, name, value);
    case 'object':
      if (value === null) return undefined;
      if (DateTime.isDateTime(value) || value instanceof Date) return own(DATE_EXTENSIONS, name, value);
      return isPlainObject(value) ? own(OBJECT_EXTENSIONS, name, value) : undefined;
    default:
      return undefined;
  }
}

function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function own<T>(extensions: Extensions<T>, name: string, value: T): Dispatch | undefined {
  const extension = Object.hasOwn(extensions, name) ? (extensions[name] as Extension<unknown>) : undefined;
  return extension && { extension, value };
}

/** These visit everything inside their receiver and arguments, not only the first level. */
const DEEP = new Set(['compact', 'difference', 'intersection', 'removeDuplicates', 'toJsonString', 'union', 'unique', 'urlEncode']);
/** Lists of these are new ones, held by nobody else. */
const MAKES_LIST = new Set([
  'append',
  'chunk',
  'compact',
  'difference',
  'intersection',
  'keys',
  'removeDuplicates',
  'renameKeys',
  'reverse',
  'union',
  'unique',
  'values',
]);

/** Calls an extension; outside the sandbox it is first paid for. */
export function runExtension({ extension, value }: Dispatch, name: string, args: readonly unknown[], evaluation: Evaluation): unknown {
  if (!evaluation.guarded) return extension(value, args, evaluation);
  evaluation.charge(4);
  payFor(value, DEEP.has(name), evaluation);
  for (const arg of args) payFor(arg, DEEP.has(name), evaluation);
  const result = extension(value, args, evaluation);
  return MAKES_LIST.has(name) ? evaluation.made(result) : result;
}

function payFor(value: unknown, deep: boolean, evaluation: Evaluation): void {
  if (typeof value === 'string') evaluation.charge(value.length >> 5);
  else if (typeof value === 'object' && value !== null && deep) chargeText(evaluation, value);
  else if (Array.isArray(value)) evaluation.charge(value.length);
}

/** What `value.name()` gives when neither an extension of its type nor a method of its own answers. */
export function withoutExtension(value: unknown, name: string): unknown {
  if (name === 'isEmpty') return !value;
  if (name === 'isNotEmpty') return Boolean(value);
  if (value === null || value === undefined) {
    throw new ExpressionExtensionError(
      `${name}() can't be used on ${String(value)} value`,
      `Is the value before .${name}() always there? Write ?.${name}() if it may be missing.`,
    );
  }
  const types = Object.keys(TYPES).filter((type) => Object.hasOwn(TYPES[type]!, name));
  throw new ExpressionExtensionError(`${name}() is only callable on type ${types.map((type) => `"${type}"`).join(', ')}`);
}
