import type { Item, Json, JsonObject } from '@app/engine';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import { commaList } from '../values/guards.ts';
import { clashRules, mergeItems, suffixed } from './clash.ts';
import { fieldPairsOf, matchItems, type FieldPair } from './match-items.ts';
import { passed, placed, type Placed } from './pairing.ts';

/** Joins the items of two inputs whose fields have the same values. */
export function combineByFields(context: NodeContext): Item[] {
  const options = context.parameter<JsonObject>('options', 0, {});
  const joinMode = context.parameter<string>('joinMode', 0, 'keepMatches');
  const from = context.parameter('outputDataFrom', 0, 'both');
  const fields = fieldPairs(context);
  const left = placed(context.items(0), 0);
  const right = placed(context.items(1), 1);
  if (left.length === 0 || right.length === 0) return withOneSide(joinMode, left, right);

  const matches = matchItems(left, right, fields, {
    dots: options['disableDotNotation'] !== true,
    fuzzy: options['fuzzyCompare'] === true,
    first: options['multipleMatches'] === 'first',
  });
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
  if (!simple) return fieldPairsOf(context.parameter<Json>('mergeByFields.values', 0, []));
  const names = commaList(context.parameter('fieldsToMatchString', 0, ''));
  return fieldPairsOf(names.map((name) => ({ field1: name, field2: name })));
}
