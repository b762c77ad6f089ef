import { convert, typeNameOf, type ConversionRules, type Converted, type ValueType } from '../values/convert.ts';

export interface TypingRules extends ConversionRules {
  /** Of the condition block; decides how blank and wordy values convert. */
  readonly version: number;
}

const valueTypes = new Set<string>(['string', 'number', 'boolean', 'array', 'object', 'dateTime']);

/** A side of a condition as the type its operator asks for; null when it is not, and cannot become, of that type. */
export function typedSide(value: unknown, type: string, rules: TypingRules): Converted {
  if (!valueTypes.has(type) || value === null || value === undefined) return { value: value as null };
  if (type === 'number' && Number.isNaN(value)) return { value: value as number };
  if (!rules.strict && type === 'boolean') return looseBoolean(value, rules);
  if (!rules.strict && type === 'number' && rules.version >= 3 && isBlank(value)) return { value: null };
  return convert(value, type as ValueType, rules);
}

const isBlank = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0);

/** Words and 0/1 count from version 2 on; for everything else truthiness decides. */
function looseBoolean(value: unknown, rules: TypingRules): Converted {
  const converted = rules.version >= 2 ? convert(value, 'boolean', rules) : null;
  return converted ?? { value: Boolean(value) };
}

/** Why a side was refused, without naming the place. */
export function typingProblem(value: unknown, type: string, strict: boolean): string {
  const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return strict
    ? `Wrong type: '${shown}' is ${article(typeNameOf(value))} but was expecting ${article(type)}`
    : `Conversion error: the ${typeNameOf(value)} '${shown}' can't be converted to ${article(type)}`;
}

const article = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
