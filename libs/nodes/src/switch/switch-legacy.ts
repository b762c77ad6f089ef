import type { Json, JsonObject, PropertyDescription } from '@app/engine';
import { legacyDefaults, legacyHolds, type LegacyKind } from '../conditions/legacy-comparison.ts';
import { describeNode } from '../description.ts';
import { errorItem } from '../each-item.ts';
import { emit, emptyOutputs } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import type { NodeType } from '../node-type.ts';
import { portCount } from '../parameters/count.ts';
import { anything, choice, entries, number, text, when } from '../parameters/properties.ts';
import { isList, isRecord } from '../values/guards.ts';
import { outputIndex } from './output-index.ts';

const kinds: readonly LegacyKind[] = ['number', 'boolean', 'dateTime', 'string'];
const emptyValue: { readonly [kind in LegacyKind]: Json } = { number: 0, boolean: false, dateTime: '', string: '' };

const rulesFor = (kind: LegacyKind): PropertyDescription =>
  entries(
    'rules',
    'rules',
    [
      text('operation', kind === 'dateTime' ? 'after' : 'equal'),
      anything('value2', 'json', emptyValue[kind]),
      number('output', 0),
      text('outputKey'),
    ],
    when({ dataType: [kind], mode: ['rules'] }),
  );

/** Version 1: four outputs, each rule names its own. Version 2: one output per rule. Values are compared untyped. */
export const switchLegacy: NodeType = {
  description: describeNode({
    name: 'switch',
    displayName: 'Switch',
    versions: [1, 2],
    outputs: outputCount,
    properties: [
      choice('mode', 'rules', ['rules', 'expression']),
      number('outputsAmount', 4, when({ mode: ['expression'], '@version': [2] })),
      anything('output', 'json', 0, when({ mode: ['expression'] })),
      choice('dataType', 'number', kinds, when({ mode: ['rules'] })),
      ...kinds.map((kind) => anything('value1', 'json', emptyValue[kind], when({ dataType: [kind], mode: ['rules'] }))),
      ...kinds.map(rulesFor),
      number('fallbackOutput', -1, when({ mode: ['rules'] })),
    ],
  }),
  run: (context) => {
    const outputs = emptyOutputs(outputCount(context.node.version, context.node.rawParameters));
    const route = context.rawParameter('mode', 'rules') === 'expression' ? byExpression : byRules;
    context.items().forEach((item, index) => {
      context.signal.throwIfAborted();
      try {
        const output = route(context, outputs.length, index);
        if (output !== null) outputs[output]!.push(item);
      } catch (error) {
        if (!context.continueOnFail) throw error;
        outputs[0]!.push({ json: errorItem(error, index).json });
      }
    });
    return emit(...outputs);
  },
};

function outputCount(version: number, parameters: JsonObject): number {
  if (version === 1) return 4;
  if (parameters['mode'] === 'expression') return portCount(parameters['outputsAmount'], 4);
  const rules = isRecord(parameters['rules']) ? parameters['rules']['rules'] : undefined;
  return isList(rules) ? rules.length : 0;
}

const byExpression = (context: NodeContext, count: number, itemIndex: number): number =>
  outputIndex(context.parameter('output', itemIndex), count, itemIndex);

function byRules(context: NodeContext, count: number, itemIndex: number): number | null {
  const kind = context.parameter<LegacyKind>('dataType', itemIndex, 'number');
  const value = context.parameter('value1', itemIndex);
  const rules = context.parameter<Json>('rules.rules', itemIndex, []);
  for (const [index, rule] of (isList(rules) ? rules.filter(isRecord) : []).entries()) {
    const operation = String(rule['operation'] ?? (kind === 'dateTime' ? legacyDefaults.dateTime : 'equal'));
    if (!legacyHolds(kind, operation, value, rule['value2'], context.workflow.timezone)) continue;
    return context.node.version === 1 ? outputIndex(rule['output'] ?? 0, count, itemIndex) : index;
  }
  const fallback = context.parameter<number>('fallbackOutput', itemIndex, -1);
  return fallback === -1 ? null : outputIndex(fallback, count, itemIndex);
}
