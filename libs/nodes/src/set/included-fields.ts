import type { JsonObject } from '@app/engine';
import { commaList } from '../values/guards.ts';
import { pathOf, readPath, removePath } from '../values/path.ts';

/** Which fields of the input item an edited item starts from. */
export type Inclusion =
  | { readonly kind: 'none' | 'all' }
  | { readonly kind: 'selected' | 'except'; readonly fields: readonly string[] };

export const inclusion = (kind: string, selected: unknown, excepted: unknown): Inclusion => {
  if (kind === 'selected') return { kind, fields: commaList(selected) };
  if (kind === 'except') return { kind, fields: commaList(excepted) };
  return { kind: kind === 'none' ? 'none' : 'all' };
};

/** A new object with those fields; nested values stay shared with the input. A selected path keeps its last part as key. */
export function includedFields(json: JsonObject, include: Inclusion, dots: boolean): JsonObject {
  switch (include.kind) {
    case 'none':
      return {};
    case 'all':
      return { ...json };
    case 'except': {
      const rest = { ...json };
      for (const field of include.fields) removePath(rest, field, dots);
      return rest;
    }
    case 'selected': {
      const selected: JsonObject = {};
      for (const field of include.fields) {
        const value = readPath(json, field, dots);
        if (value === undefined) continue;
        const isLiteralKey = !dots || Object.hasOwn(json, field);
        selected[isLiteralKey ? field : (pathOf(field).at(-1) ?? field)] = value;
      }
      return selected;
    }
  }
}
