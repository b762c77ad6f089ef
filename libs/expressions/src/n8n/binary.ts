import type { Item } from '@app/engine';

/** Files as expressions see them: everything but their content. */
export function visibleBinary(binary: Item['binary']): object | undefined {
  if (!binary) return undefined;
  return Object.fromEntries(Object.entries(binary).map(([key, { data: _data, ...rest }]) => [key, rest]));
}
