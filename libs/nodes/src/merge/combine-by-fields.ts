import type { Item, Json, JsonObject } from '@app/engine';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import { contentKey, isFuzzyEqual } from '../values/equal.ts';
import { commaList, isList, isRecord } from '../values/guards.ts';
import { readPath } from '../values/path.ts';
import { clashRules, mergeItems, suffixed } from './clash.ts';
import { passed, placed, type Placed } from './pairing.ts';

interface FieldPair {
  readonly left: string;
  readonly right: string;
}

interface Matches {
  readonly pairs: readonly (readonly [Placed, Placed])[];
  readonly matchedLeft: readonly Placed[];
  readonly matchedRight: readonly Placed[];
  readonly unmatchedLeft: readonly Placed[];
  readonly unmatchedRight: readonly Placed[];
}

/** Joins the items of two inputs whose fields have the same values. */
export function combineByFields(context: NodeContext): Item[] {
  const options = context.parameter<JsonObject>('options', 0, {});
  const joinMode = context.parameter<string>('joinMode', 0, 'keepMatches');
  const from = context.parameter('outputDataFrom', 0, 'both');
  const fields = fieldPairs(context);
  const left = placed(context.items(0), 0);
  const right = placed(context.items(1), 1);
  if (left.length === 0 || right.length === 0) return withOneSide(joinMode, left, right);

  const matches = match(left, right, fields, options);
  const rules = clashRules(options, joinMode === 'enrichInput2' ? 0 : 1, 2);
  const merged = (): Item[] => matches.pairs.map((pair) => mergeItems(pair, rules));
  switch (joinMode) {
    case 'keepMatches':
      if (from === 'input1') return matches.matchedLeft.map(passed);
      return from === 'input2' ? matches.matchedRight.map(passed) : merged();
    case 'keepNonMatches':
      if (from === 'input1') return matches.unmatchedLeft.map(passed);
      if (from === 'input2') return matches.unmatchedRight.map(passed);
      return [...matches.unmatchedLeft.map(marked('input1')), ...matches.unmatchedRight.map(marked('input2'))];
    case 'keepEverything':
      return [...merged(), ...[...matches.unmatchedLeft, ...matches.unmatchedRight].map((part) => suffixed(part, rules))];
    case 'enrichInput1':
      return [...merged(), ...matches.unmatchedLeft.map((part) => suffixed(part, rules))];
    case 'enrichInput2':
      return [...merged(), ...matches.unmatchedRight.map((part) => suffixed(part, rules))];
    default:
      throw new NodeError(`Unknown output type "${joinMode}" of parameter joinMode.`, { retryable: false });
  }
}

const marked =
  (source: string) =>
  (part: Placed): Item => ({ ...passed(part), json: { ...part.item.json, _source: source } });

/** With one side empty nothing can match, and only modes that keep unmatched items of the other side give anything. */
function withOneSide(joinMode: string, left: readonly Placed[], right: readonly Placed[]): Item[] {
  if (joinMode === 'keepMatches') return [];
  if (joinMode === 'enrichInput1') return left.map(passed);
  if (joinMode === 'enrichInput2') return right.map(passed);
  return [...left, ...right].map(passed);
}

function fieldPairs(context: NodeContext): FieldPair[] {
  const simple = context.node.version >= 3 && context.parameter('advanced', 0, false) !== true;
  const pairs = simple
    ? commaList(context.parameter('fieldsToMatchString', 0, '')).map((name) => ({ left: name, right: name }))
    : listOf(context.parameter<Json>('mergeByFields.values', 0, [])).map((entry) => ({
        left: String(entry['field1'] ?? ''),
        right: String(entry['field2'] ?? ''),
      }));
  if (pairs.length === 0 || pairs.some(({ left, right }) => left === '' || right === '')) {
    throw new NodeError('You need to define at least one pair of fields in "Fields to Match" to match on', {
      retryable: false,
    });
  }
  return pairs;
}

const listOf = (value: Json): JsonObject[] => (isList(value) ? value.filter(isRecord) : []);

function match(left: readonly Placed[], right: readonly Placed[], fields: readonly FieldPair[], options: JsonObject): Matches {
  const dots = options['disableDotNotation'] !== true;
  const keysOf = (part: Placed, side: keyof FieldPair): Json[] =>
    fields.map((field) => readPath(part.item.json, field[side], dots));
  const find = options['fuzzyCompare'] === true ? fuzzyFinder(right, keysOf) : exactFinder(right, keysOf);
  const pairs: (readonly [Placed, Placed])[] = [];
  const [matchedLeft, unmatchedLeft]: [Placed[], Placed[]] = [[], []];
  const found = new Set<Placed>();
  for (const part of left) {
    const keys = keysOf(part, 'left');
    const hits = keys.includes(undefined) ? [] : find(keys);
    const used = options['multipleMatches'] === 'first' ? hits.slice(0, 1) : hits;
    (used.length > 0 ? matchedLeft : unmatchedLeft).push(part);
    for (const hit of used) {
      pairs.push([part, hit]);
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

type KeysOf = (part: Placed, side: keyof FieldPair) => Json[];
type Finder = (keys: readonly Json[]) => readonly Placed[];

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
