import type { DisplayOptions, Json } from '@app/engine';
import { isEqual } from '../values/equal.ts';
import { isExpression, isRecord } from '../values/guards.ts';

/** Looks up what a key of display options names: a sibling, `/x` from the root, or `@version`. */
export type KeyReader = (key: string) => Json;

/**
 * Whether a property is shown: every key under `show` must match one of its values, no key under `hide` may. A value
 * that is an expression cannot be known yet and counts as a match under `show` and as none under `hide`.
 */
export function isDisplayed(options: DisplayOptions | undefined, read: KeyReader): boolean {
  if (!options) return true;
  for (const [key, expected] of Object.entries(options.show ?? {})) {
    const values = listOf(read(key));
    if (values.some(isExpression)) continue;
    if (!values.some((value) => expected.some((condition) => matches(value, condition)))) return false;
  }
  for (const [key, expected] of Object.entries(options.hide ?? {})) {
    const values = listOf(read(key));
    if (values.some((value) => expected.some((condition) => matches(value, condition)))) return false;
  }
  return true;
}

const listOf = (value: Json): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [value]);

function matches(value: Json, condition: Json): boolean {
  if (!isRecord(condition) || !isRecord(condition['_cnd'])) return isEqual(value, condition);
  return Object.entries(condition['_cnd']).every(([operator, operand]) => compare(operator, value, operand));
}

function compare(operator: string, value: Json, operand: Json): boolean {
  switch (operator) {
    case 'eq':
      return isEqual(value, operand);
    case 'not':
      return !isEqual(value, operand);
    case 'gte':
      return Number(value) >= Number(operand);
    case 'lte':
      return Number(value) <= Number(operand);
    case 'gt':
      return Number(value) > Number(operand);
    case 'lt':
      return Number(value) < Number(operand);
    case 'between':
      return isRecord(operand) && Number(value) >= Number(operand['from']) && Number(value) <= Number(operand['to']);
    case 'includes':
      return String(value).includes(String(operand));
    case 'startsWith':
      return String(value).startsWith(String(operand));
    case 'endsWith':
      return String(value).endsWith(String(operand));
    case 'regex':
      return new RegExp(String(operand)).test(String(value));
    case 'exists':
      return value !== undefined && value !== null && value !== '';
    default:
      return false;
  }
}
