import { ExpressionError } from '../errors.ts';
import type { View } from '../n8n/view.ts';

const MOST_KEYS = 10;
const LONGEST_KEY = 50;
const LONGEST_VALUE = 512;

/** `$execution.customData` as code sees it. Longer keys and values are cut, as the rows that hold them are bounded. */
export const CUSTOM_DATA_METHODS = (view: View, changed: Record<string, string>) => {
  const all = (): Record<string, string> => ({ ...view.data.customData, ...changed });
  const set = (key: unknown, value: unknown): void => {
    if (typeof key !== 'string' || !/^\w+$/.test(key))
      throw new ExpressionError(
        'expression_argument',
        `customData.set(): ${JSON.stringify(key)} is no valid key`,
        'Keys consist of letters, digits and underscores.',
      );
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      throw new ExpressionError('expression_argument', `customData.set("${key}"): the value must be a text, a number or a boolean`);
    const name = key.slice(0, LONGEST_KEY);
    if (!(name in all()) && Object.keys(all()).length >= MOST_KEYS) return;
    changed[name] = String(value).slice(0, LONGEST_VALUE);
  };
  return {
    set,
    setAll: (values: Record<string, unknown>): void => Object.entries(values).forEach(([key, value]) => set(key, value)),
    get: (key: string): string | undefined => all()[key],
    getAll: all,
  };
};
