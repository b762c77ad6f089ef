import type { Item, JsonObject } from '@app/engine';
import { describeNode } from '../description.ts';
import { emit } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import type { NodeType } from '../node-type.ts';
import { portCount } from '../parameters/count.ts';
import { anything, choice, entries, flag, groups, number, settings, text, when } from '../parameters/properties.ts';
import { append, combineAll, combineByPosition, emptyItem } from './combine.ts';
import { combineByFields } from './combine-by-fields.ts';

const clashHandling = groups('clashHandling', {
  values: [
    text('resolveClash'),
    choice('mergeMode', 'deepMerge', ['deepMerge', 'shallowMerge']),
    flag('overrideEmpty', false),
  ],
});

const combineOptions = settings(
  [
    clashHandling,
    flag('fuzzyCompare', false),
    flag('disableDotNotation', false),
    flag('includeUnpaired', false),
    choice('multipleMatches', 'all', ['all', 'first']),
    flag('emptyQueryResult', false),
  ],
  {},
);

const byFields = when({ mode: ['combine'], combineBy: ['combineByFields'] });

/** Brings two or more branches together. */
export const merge: NodeType = {
  description: describeNode({
    name: 'merge',
    displayName: 'Merge',
    versions: [3, 3.1, 3.2],
    inputs: (_, parameters) => inputCount(parameters),
    requiredInputs: (_, parameters) => (parameters['mode'] === 'chooseBranch' ? [0, 1] : 1),
    properties: [
      choice('mode', 'append', ['append', 'combine', 'combineBySql', 'chooseBranch']),
      choice('combineBy', 'combineByFields', ['combineByFields', 'combineByPosition', 'combineAll'], when({ mode: ['combine'] })),
      number('numberInputs', 2, when({ mode: ['append', 'chooseBranch', 'combineBySql'] })),
      number('numberInputs', 2, when({ mode: ['combine'], combineBy: ['combineByPosition'] })),
      flag('advanced', false, byFields),
      text('fieldsToMatchString', '', when({ ...byFields.displayOptions?.show, advanced: [false] })),
      entries('mergeByFields', 'values', [text('field1'), text('field2')], when({ ...byFields.displayOptions?.show, advanced: [true] })),
      choice('joinMode', 'keepMatches', ['keepMatches', 'keepNonMatches', 'keepEverything', 'enrichInput1', 'enrichInput2'], byFields),
      choice('outputDataFrom', 'both', ['both', 'input1', 'input2'], when({ ...byFields.displayOptions?.show, joinMode: ['keepMatches', 'keepNonMatches'] })),
      text('query', 'SELECT * FROM input1', when({ mode: ['combineBySql'] })),
      choice('chooseBranchMode', 'waitForAll', ['waitForAll'], when({ mode: ['chooseBranch'] })),
      choice('output', 'specifiedInput', ['specifiedInput', 'empty'], when({ mode: ['chooseBranch'] })),
      anything('useDataOfInput', 'json', 1, when({ mode: ['chooseBranch'], output: ['specifiedInput'] })),
      combineOptions,
    ],
  }),
  run: (context) => {
    context.signal.throwIfAborted();
    return emit(merged(context));
  },
};

function inputCount(parameters: JsonObject): number {
  const fixed = parameters['mode'] === 'combine' && parameters['combineBy'] !== 'combineByPosition';
  return fixed ? 2 : portCount(parameters['numberInputs'], 2);
}

function merged(context: NodeContext): Item[] {
  const mode = context.parameter('mode', 0, 'append');
  const count = portCount(context.parameter('numberInputs', 0, 2), 2);
  const inputs = Array.from({ length: count }, (_, input) => context.items(input));
  switch (mode) {
    case 'append':
      return append(inputs);
    case 'chooseBranch':
      return chosenBranch(context, inputs);
    case 'combine':
      return combined(context, inputs);
    default:
      throw new NodeError(`The mode "${mode}" of Merge is not supported. Use append, combine or chooseBranch.`, {
        code: 'unsupported_parameter',
        retryable: false,
      });
  }
}

function combined(context: NodeContext, inputs: readonly (readonly Item[])[]): Item[] {
  const combineBy = context.parameter('combineBy', 0, 'combineByFields');
  if (combineBy === 'combineByPosition') return combineByPosition(context, inputs);
  if (combineBy === 'combineAll') return combineAll(context, inputs[0] ?? [], inputs[1] ?? []);
  return combineByFields(context);
}

function chosenBranch(context: NodeContext, inputs: readonly (readonly Item[])[]): Item[] {
  if (context.parameter('output', 0, 'specifiedInput') === 'empty') return [emptyItem(inputs)];
  const wanted = Number(context.parameter<unknown>('useDataOfInput', 0, 1));
  if (Number.isInteger(wanted) && wanted >= 1 && wanted <= inputs.length) return [...inputs[wanted - 1]!];
  throw new NodeError(`There is no input ${wanted} to take the data of; the node has ${inputs.length}.`, { retryable: false });
}
