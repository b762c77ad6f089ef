import type { BinaryValue, Item, Json, JsonObject } from '@app/engine';
import { isRecord } from '../values/guards.ts';
import type { Placed } from './pairing.ts';

/** What happens to a field that several of the merged items have. */
export interface ClashRules {
  readonly resolve: 'addSuffix' | { readonly preferred: number };
  readonly deep: boolean;
  /** True: blank values never replace others. */
  readonly keepFilled: boolean;
}

/** Reads `options.clashHandling.values`. `byDefault` is the input whose fields win when nothing was chosen. */
export function clashRules(options: JsonObject, byDefault: number, inputs: number): ClashRules {
  const handling = isRecord(options['clashHandling']) ? options['clashHandling'] : {};
  const values = isRecord(handling['values']) ? handling['values'] : {};
  const chosen = values['resolveClash'];
  const named = /^preferInput(\d+)$/.exec(String(chosen ?? ''));
  const preferred = named ? Number(named[1]) - 1 : chosen === 'preferLast' ? inputs - 1 : byDefault;
  return {
    resolve: chosen === 'addSuffix' ? 'addSuffix' : { preferred },
    deep: values['mergeMode'] !== 'shallowMerge',
    keepFilled: values['overrideEmpty'] === true,
  };
}

/** One item made of several; `parts` in the order of their inputs. */
export function mergeItems(parts: readonly Placed[], rules: ClashRules): Item {
  const merged: Item = { json: {}, pairedItem: parts.map(({ place }) => place) };
  for (const part of byPrecedence(parts, rules)) {
    const json = rules.resolve === 'addSuffix' ? withSuffix(part.item.json, inputOf(part) + 1) : part.item.json;
    mergeInto(merged.json, json, rules);
    if (part.item.binary) {
      merged.binary = { ...merged.binary, ...suffixedFiles(part, rules) };
    }
  }
  return merged;
}

/** Fields renamed to `name_1`, `name_2`, … by input, for items that were merged with none. */
export const suffixed = (part: Placed, rules: ClashRules): Item =>
  rules.resolve === 'addSuffix'
    ? { ...part.item, json: withSuffix(part.item.json, inputOf(part) + 1), pairedItem: part.place }
    : { ...part.item, pairedItem: part.place };

const inputOf = (part: Placed): number => part.place.input ?? 0;

/** The preferred input comes last, since later values win. */
function byPrecedence(parts: readonly Placed[], { resolve }: ClashRules): readonly Placed[] {
  if (resolve === 'addSuffix') return parts;
  const isPreferred = (part: Placed): boolean => inputOf(part) === resolve.preferred;
  return [...parts.filter((part) => !isPreferred(part)), ...parts.filter(isPreferred)];
}

const withSuffix = (json: JsonObject, suffix: number): JsonObject =>
  Object.fromEntries(Object.entries(json).map(([key, value]) => [`${key}_${suffix}`, value]));

const suffixedFiles = (part: Placed, rules: ClashRules): { [key: string]: BinaryValue } =>
  Object.fromEntries(
    Object.entries(part.item.binary ?? {}).map(([key, file]) => [
      rules.resolve === 'addSuffix' ? `${key}_${inputOf(part) + 1}` : key,
      file,
    ]),
  );

function mergeInto(target: JsonObject, source: JsonObject, rules: ClashRules): void {
  for (const [key, value] of Object.entries(source)) target[key] = mergedValue(target[key], value, rules);
}

/** Lists merge position by position, like objects. Never changes its arguments: they belong to the input items. */
function mergedValue(target: Json, source: Json, rules: ClashRules): Json {
  if (source === undefined) return target;
  if (rules.keepFilled && (source === null || source === '') && target !== undefined) return target;
  if (!rules.deep) return source;
  if (isRecord(target) && isRecord(source)) {
    const merged = { ...target };
    mergeInto(merged, source, rules);
    return merged;
  }
  if (Array.isArray(target) && Array.isArray(source)) {
    const [before, after] = [target as readonly Json[], source as readonly Json[]];
    return Array.from({ length: Math.max(before.length, after.length) }, (_, index) =>
      mergedValue(before[index], after[index], rules),
    );
  }
  return source;
}
