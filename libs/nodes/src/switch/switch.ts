import type { Json, JsonObject } from '@app/engine';
import { conditionBlock, meets, type ConditionBlock } from '../conditions/condition-block.ts';
import { describeNode } from '../description.ts';
import { errorItem } from '../each-item.ts';
import { emit, emptyOutputs } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import type { NodeType } from '../node-type.ts';
import { portCount } from '../parameters/count.ts';
import { anything, atLeast, choice, entries, flag, number, settings, text, when } from '../parameters/properties.ts';
import { isList, isRecord } from '../values/guards.ts';
import { outputIndex } from './output-index.ts';

const rulesMode = when({ mode: ['rules'] });
const expressionMode = when({ mode: ['expression'] });

/** One output per rule; an item leaves by the first rule it meets, or by all of them with `allMatchingOutputs`. */
export const switchNode: NodeType = {
  description: describeNode({
    name: 'switch',
    displayName: 'Switch',
    versions: [3, 3.1, 3.2, 3.3, 3.4],
    outputs: (_, parameters) => outputCount(parameters),
    properties: [
      choice('mode', 'rules', ['rules', 'expression']),
      number('numberOutputs', 4, expressionMode),
      { ...number('output', 0, expressionMode), required: true },
      entries(
        'rules',
        'values',
        [anything('conditions', 'filter', {}), flag('renameOutput', false), text('outputKey')],
        rulesMode,
      ),
      flag('looseTypeValidation', false, when({ mode: ['rules'], '@version': [atLeast(3.1)] })),
      settings(
        [
          anything('fallbackOutput', 'json', 'none'),
          flag('ignoreCase', true),
          flag('looseTypeValidation', true),
          flag('allMatchingOutputs', false),
          text('renameFallbackOutput', 'Fallback'),
        ],
        rulesMode,
      ),
    ],
  }),
  run: (context) => {
    const outputs = emptyOutputs(outputCount(parametersOf(context)));
    const route = context.rawParameter('mode', 'rules') === 'expression' ? byExpression(context, outputs.length) : byRules(context);
    context.items().forEach((item, index) => {
      context.signal.throwIfAborted();
      try {
        for (const output of route(index)) outputs[output]!.push(item);
      } catch (error) {
        if (!context.continueOnFail) throw error;
        // Without pairing: the engine must not merge the input item into it.
        outputs[0]!.push({ json: errorItem(error, index).json });
      }
    });
    return emit(...outputs);
  },
};

const parametersOf = (context: NodeContext): JsonObject => ({
  mode: context.rawParameter('mode', 'rules'),
  numberOutputs: context.rawParameter('numberOutputs', 4),
  rules: context.rawParameter<Json>('rules', {}),
  options: context.rawParameter<Json>('options', {}),
});

function outputCount(parameters: JsonObject): number {
  if (parameters['mode'] === 'expression') return portCount(parameters['numberOutputs'], 4);
  const rules = isRecord(parameters['rules']) ? parameters['rules']['values'] : undefined;
  const options = isRecord(parameters['options']) ? parameters['options'] : {};
  return (isList(rules) ? rules.length : 0) + (options['fallbackOutput'] === 'extra' ? 1 : 0);
}

function byExpression(context: NodeContext, count: number): (itemIndex: number) => number[] {
  return (itemIndex) => [outputIndex(context.parameter('output', itemIndex), count, itemIndex)];
}

function byRules(context: NodeContext): (itemIndex: number) => number[] {
  const rules = context.rawParameter<Json>('rules.values', []);
  const blocks: ConditionBlock[] = (isList(rules) ? rules : []).map((_, rule) =>
    conditionBlock(context, `rules.values[${rule}].conditions`),
  );
  return (itemIndex) => {
    const options = context.parameter<JsonObject>('options', itemIndex, {});
    const matching: number[] = [];
    for (let rule = 0; rule < blocks.length; rule++) {
      if (!meets(context, blocks[rule]!, itemIndex)) continue;
      matching.push(rule);
      if (options['allMatchingOutputs'] !== true) break;
    }
    return matching.length > 0 ? matching : fallback(options['fallbackOutput'], blocks.length, itemIndex);
  };
}

function fallback(chosen: Json, rules: number, itemIndex: number): number[] {
  if (chosen === 'extra') return [rules];
  if (chosen === undefined || chosen === null || chosen === 'none') return [];
  return [outputIndex(chosen, rules, itemIndex)];
}
