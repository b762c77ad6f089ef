import { ExpressionExtensionError } from '../errors.ts';
import type { Extensions } from './extension.ts';

type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isVoid = (value: unknown): boolean => value === null || value === undefined || value === '' || value === 'nil';
const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && isPlain(value) && Object.keys(value).length === 0;
const isPlain = (value: object): boolean => Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value) as null);

/** Whether `compact` drops the value: nothing, an empty text, the text "nil", an empty object or list. */
export function isHollow(value: unknown): boolean {
  return isVoid(value) || isEmptyObject(value);
}

export function compactObject(fields: Fields): Fields {
  const result: Fields = {};
  for (const [key, value] of Object.entries(fields)) {
    if (isHollow(value)) continue;
    result[key] = isFields(value) && isPlain(value) ? compactObject(value) : value;
  }
  return result;
}

function text(args: readonly unknown[], method: string): string {
  const [value] = args;
  if (typeof value !== 'string' || value === '')
    throw new ExpressionExtensionError(`${method}() needs a text that is not empty`, `For instance .${method}("test").`);
  return value;
}

function queryPart(value: unknown): string {
  return encodeURIComponent(typeof value === 'object' && value !== null ? String(value) : `${value as string}`)
    .replaceAll('%20', '+')
    .replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

export const OBJECT_EXTENSIONS: Extensions<Fields> = {
  keys: (fields) => Object.keys(fields),
  values: (fields) => Object.values(fields),
  isEmpty: (fields) => Object.keys(fields).length === 0,
  isNotEmpty: (fields) => Object.keys(fields).length > 0,
  toJsonString: (fields) => JSON.stringify(fields),
  hasField: (fields, [name]) => Object.hasOwn(fields, String(name)),
  removeField: (fields, [name]) => Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name)),
  removeFieldsContaining: (fields, args) => {
    const part = text(args, 'removeFieldsContaining');
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => !(typeof value === 'string' && value.includes(part))));
  },
  keepFieldsContaining: (fields, args) => {
    const part = text(args, 'keepFieldsContaining');
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string' && value.includes(part)));
  },
  compact: compactObject,
  urlEncode: (fields) =>
    Object.entries(fields)
      .map(([key, value]) => `${queryPart(key)}=${queryPart(value)}`)
      .join('&'),
  toInt: () => undefined,
  toFloat: () => undefined,
  toBoolean: () => undefined,
  toDateTime: () => undefined,
};
