import type { Json } from '@app/engine';
import { NodeError } from '../node-error.ts';
import { contentKey, isFuzzyEqual } from '../values/equal.ts';
import { isList, isRecord } from '../values/guards.ts';
import { readPath } from '../values/path.ts';
import { refuseTooMany, type Placed } from './pairing.ts';

export interface FieldPair {
  readonly left: string;
  readonly right: string;
}

export interface MatchRules {
  readonly dots: boolean;
  readonly fuzzy: boolean;
  /** True: an item is joined with the first item it matches, not with all. */
  readonly first: boolean;
}

export interface Matches {
  readonly pairs: readonly (readonly [Placed, Placed])[];
  readonly matchedLeft: readonly Placed[];
  readonly matchedRight: readonly Placed[];
  readonly unmatchedLeft: readonly Placed[];
  readonly unmatchedRight: readonly Placed[];
}

type KeysOf = (part: Placed, side: keyof FieldPair) => Json[];
type Finder = (keys: readonly Json[]) => readonly Placed[];

/** Pairs items whose fields have the same values. An item that lacks one of the fields matches nothing. */
export function matchItems(left: readonly Placed[], right: readonly Placed[], fields: readonly FieldPair[], rules: MatchRules): Matches {
  const keysOf: KeysOf = (part, side) => fields.map((field) => readPath(part.item.json, field[side], rules.dots));
  const find = rules.fuzzy ? fuzzyFinder(right, keysOf) : exactFinder(right, keysOf);
  const pairs: (readonly [Placed, Placed])[] = [];
  const [matchedLeft, unmatchedLeft]: [Placed[], Placed[]] = [[], []];
  const found = new Set<Placed>();
  for (const part of left) {
    const keys = keysOf(part, 'left');
    const hits = keys.includes(undefined) ? [] : find(keys);
    const used = rules.first ? hits.slice(0, 1) : hits;
    (used.length > 0 ? matchedLeft : unmatchedLeft).push(part);
    for (const hit of used) {
      pairs.push([part, hit]);
      refuseTooMany(pairs.length);
      found.add(hit);
    }
  }
  return {
    pairs,
    matchedLeft,
    unmatchedLeft,
    matchedRight: right.filter((part) => found.has(part)),
    unmatchedRight: right.filter((part) => !found.has(part)),
  };
}

/** Reads `[{field1, field2}, …]`. */
export function fieldPairsOf(value: Json): FieldPair[] {
  const pairs = (isList(value) ? value.filter(isRecord) : []).map((entry) => ({
    left: String(entry['field1'] ?? ''),
    right: String(entry['field2'] ?? ''),
  }));
  if (pairs.length > 0 && pairs.every(({ left, right }) => left !== '' && right !== '')) return pairs;
  throw new NodeError('You need to define at least one pair of fields in "Fields to Match" to match on', { retryable: false });
}

function exactFinder(right: readonly Placed[], keysOf: KeysOf): Finder {
  const byKey = new Map<string, Placed[]>();
  for (const part of right) {
    const keys = keysOf(part, 'right');
    if (keys.includes(undefined)) continue;
    const key = contentKey(keys);
    const group = byKey.get(key);
    if (group) group.push(part);
    else byKey.set(key, [part]);
  }
  return (keys) => byKey.get(contentKey(keys)) ?? [];
}

/** Tolerant equality is not transitive (1 equals "1" and true), so every pair has to be looked at. */
function fuzzyFinder(right: readonly Placed[], keysOf: KeysOf): Finder {
  const candidates = right.map((part) => ({ part, keys: keysOf(part, 'right') }));
  return (keys) =>
    candidates
      .filter((candidate) => candidate.keys.every((key, index) => key !== undefined && isFuzzyEqual(keys[index], key)))
      .map(({ part }) => part);
}
