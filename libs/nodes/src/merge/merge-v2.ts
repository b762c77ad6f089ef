import type { Item } from '@app/engine';
import { describeNode } from '../description.ts';
import { emit } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import type { NodeType } from '../node-type.ts';
import { choice, entries, flag, groups, settings, text, when } from '../parameters/properties.ts';
import { append, combineAll, combineByPosition, emptyItem } from './combine.ts';
import { combineByFields } from './combine-by-fields.ts';

const byFields = { mode: ['combine'], combinationMode: ['mergeByFields'] };

/** Version 2: always two inputs. */
export const mergeV2: NodeType = {
  description: describeNode({
    name: 'merge',
    displayName: 'Merge',
    versions: [2, 2.1],
    inputs: 2,
    requiredInputs: (_, parameters) => (parameters['mode'] === 'chooseBranch' ? [0, 1] : 1),
    properties: [
      choice('mode', 'append', ['append', 'combine', 'chooseBranch']),
      choice('combinationMode', 'mergeByFields', ['mergeByFields', 'mergeByPosition', 'multiplex'], when({ mode: ['combine'] })),
      entries('mergeByFields', 'values', [text('field1'), text('field2')], when(byFields)),
      choice('joinMode', 'keepMatches', ['keepMatches', 'keepNonMatches', 'keepEverything', 'enrichInput1', 'enrichInput2'], when(byFields)),
      choice('outputDataFrom', 'both', ['both', 'input1', 'input2'], when({ ...byFields, joinMode: ['keepMatches', 'keepNonMatches'] })),
      choice('chooseBranchMode', 'waitForBoth', ['waitForBoth'], when({ mode: ['chooseBranch'] })),
      choice('output', 'input1', ['input1', 'input2', 'empty'], when({ mode: ['chooseBranch'] })),
      settings([
        groups('clashHandling', {
          values: [
            text('resolveClash'),
            choice('mergeMode', 'deepMerge', ['deepMerge', 'shallowMerge']),
            flag('overrideEmpty', false),
          ],
        }),
        flag('fuzzyCompare', false),
        flag('disableDotNotation', false),
        flag('includeUnpaired', false),
        choice('multipleMatches', 'all', ['all', 'first']),
      ]),
    ],
  }),
  run: (context) => {
    context.signal.throwIfAborted();
    return emit(merged(context));
  },
};

function merged(context: NodeContext): Item[] {
  const mode = context.parameter('mode', 0, 'append');
  const inputs = [context.items(0), context.items(1)] as const;
  if (mode === 'append') return append(inputs);
  if (mode === 'chooseBranch') {
    const output = context.parameter('output', 0, 'input1');
    return output === 'empty' ? [emptyItem(inputs)] : inputs[output === 'input2' ? 1 : 0];
  }
  const combinationMode = context.parameter('combinationMode', 0, 'mergeByFields');
  if (combinationMode === 'mergeByPosition') return combineByPosition(context, inputs);
  return combinationMode === 'multiplex' ? combineAll(context, ...inputs) : combineByFields(context);
}
