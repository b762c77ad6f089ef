import type { Item, Json, JsonObject } from '@app/engine';
import { describeNode } from '../description.ts';
import { emit, emptyOutputs } from '../emit.ts';
import { fieldPairsOf, matchItems, type FieldPair } from '../merge/match-items.ts';
import { passed, placed, type Placed } from '../merge/pairing.ts';
import type { NodeContext } from '../node-context.ts';
import type { NodeType } from '../node-type.ts';
import { choice, entries, flag, settings, text, when } from '../parameters/properties.ts';
import { isEqual, isFuzzyEqual } from '../values/equal.ts';
import { commaList } from '../values/guards.ts';
import { readPath } from '../values/path.ts';

/** Outputs: only in A, the same in both, different, only in B. */
export const compareDatasets: NodeType = {
  description: describeNode({
    name: 'compareDatasets',
    displayName: 'Compare Datasets',
    versions: [1, 2, 2.1, 2.2, 2.3],
    inputs: 2,
    outputs: 4,
    requiredInputs: () => 1,
    properties: [
      entries('mergeByFields', 'values', [text('field1'), text('field2')]),
      choice('resolve', 'includeBoth', ['includeBoth', 'mix', 'preferInput1', 'preferInput2']),
      flag('fuzzyCompare', false),
      choice('preferWhenMix', 'input1', ['input1', 'input2'], when({ resolve: ['mix'] })),
      text('exceptWhenMix', '', when({ resolve: ['mix'] })),
      settings([
        text('skipFields'),
        flag('fuzzyCompare', false),
        flag('disableDotNotation', false),
        choice('multipleMatches', 'first', ['first', 'all']),
      ]),
    ],
  }),
  run: (context) => {
    context.signal.throwIfAborted();
    const options = context.parameter<JsonObject>('options', 0, {});
    const isFuzzy = context.parameter('fuzzyCompare', 0, false) === true || options['fuzzyCompare'] === true;
    const dots = options['disableDotNotation'] !== true;
    const fields = fieldPairsOf(context.parameter<Json>('mergeByFields.values', 0, []));
    const first = options['multipleMatches'] !== 'all';
    const matches = matchItems(placed(context.items(0), 0), placed(context.items(1), 1), fields, { dots, fuzzy: isFuzzy, first });

    const outputs = emptyOutputs(4);
    outputs[0] = matches.unmatchedLeft.map(passed);
    outputs[3] = matches.unmatchedRight.map(passed);
    for (const [left, right] of matches.pairs) {
      const difference = compare(left.item.json, right.item.json, isFuzzy ? isFuzzyEqual : isEqual, commaList(options['skipFields']));
      if (Object.keys(difference.different).length === 0) outputs[1]!.push(passed(left));
      else outputs[2]!.push(resolved(context, left, right, difference, fields, dots));
    }
    return emit(...outputs);
  },
};

interface Difference {
  readonly same: JsonObject;
  readonly different: { readonly [field: string]: { readonly inputA: Json; readonly inputB: Json } };
}

function compare(a: JsonObject, b: JsonObject, equal: (left: Json, right: Json) => boolean, skipped: readonly string[]): Difference {
  const same: JsonObject = {};
  const different: { [field: string]: { inputA: Json; inputB: Json } } = {};
  for (const field of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (skipped.includes(field)) continue;
    if (equal(a[field], b[field])) same[field] = a[field];
    else different[field] = { inputA: a[field] ?? null, inputB: b[field] ?? null };
  }
  return { same, different };
}

function resolved(context: NodeContext, left: Placed, right: Placed, difference: Difference, fields: readonly FieldPair[], dots: boolean): Item {
  const resolve = context.parameter('resolve', 0, 'includeBoth');
  if (resolve === 'preferInput1') return passed(left);
  if (resolve === 'preferInput2') return passed(right);
  if (resolve === 'mix') return mixed(context, left, right);
  const keys = Object.fromEntries(fields.map((field) => [field.left, readPath(left.item.json, field.left, dots)]));
  return { json: { keys, same: difference.same, different: difference.different }, pairedItem: [left.place, right.place] };
}

/** The preferred side, with the fields excepted taken from the other. */
function mixed(context: NodeContext, left: Placed, right: Placed): Item {
  const [base, other] = context.parameter('preferWhenMix', 0, 'input1') === 'input2' ? [right, left] : [left, right];
  const json = { ...base.item.json };
  for (const field of commaList(context.parameter('exceptWhenMix', 0, ''))) json[field] = other.item.json[field];
  return { ...passed(base), json };
}
