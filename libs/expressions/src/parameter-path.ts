import type { Json } from '@app/engine';

const CACHE_SIZE = 2_000;
const cache = new Map<string, readonly (string | number)[]>();

/** `a.b[0].c` as keys. A path is written by a node type, never by an author, so there are few of them. */
export function pathKeys(path: string): readonly (string | number)[] {
  let keys = cache.get(path);
  if (!keys) {
    if (cache.size >= CACHE_SIZE) cache.clear();
    keys = path
      .split(/[.[\]]/)
      .filter((part) => part !== '')
      .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    cache.set(path, keys);
  }
  return keys;
}

/** Undefined where the path leaves the data. A key with dots that exists as it is wins over a path. */
export function valueAt(root: Json, path: string): Json {
  if (typeof root === 'object' && root !== null && Object.hasOwn(root, path)) return (root as { readonly [key: string]: Json })[path];
  let value = root;
  for (const key of pathKeys(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as { readonly [key: string | number]: Json })[key];
  }
  return value;
}
