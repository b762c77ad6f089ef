import type { Json } from '@app/engine';
import { NodeError } from '../node-error.ts';
import { convert, textOf, typeNameOf, type ValueType } from '../values/convert.ts';

export interface AssignmentRules {
  readonly nodeVersion: number;
  readonly itemIndex: number;
  readonly ignoreConversionErrors: boolean;
  readonly zone: string;
}

const convertible = new Set<string>(['number', 'boolean', 'array', 'object']);

/** The value a field gets: what was given, as the type chosen for the field. Throws when it cannot be that type. */
export function assignedValue(name: string, type: string, value: Json, rules: AssignmentRules): Json {
  if ((value === undefined || value === null) && rules.nodeVersion >= 3.2) return null;
  if (type === 'string') return textOf(value);
  if (!convertible.has(type)) return value ?? null;
  const converted = convert(value, type as ValueType, { strict: false, zone: rules.zone });
  if (converted) return converted.value as Json;
  if (rules.ignoreConversionErrors) return value ?? null;
  const got = typeof value === 'object' ? typeNameOf(value) : `'${String(value)}'`;
  throw new NodeError(`'${name}' expects a ${type} but we got ${got} [item ${rules.itemIndex}]`, {
    itemIndex: rules.itemIndex,
    retryable: false,
    description: `Change the type of the field "${name}", or turn on the option ignoreConversionErrors.`,
  });
}
