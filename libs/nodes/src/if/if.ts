import { legacyConditions } from '../conditions/legacy-block.ts';
import { verdictOf } from '../conditions/verdict.ts';
import { describeNode } from '../description.ts';
import { emit, emptyOutputs } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import type { NodeResult } from '../node-result.ts';
import type { NodeType } from '../node-type.ts';
import { anything, atLeast, choice, flag, settings, when } from '../parameters/properties.ts';

const typed = when({ '@version': [atLeast(2)] });
const legacy = when({ '@version': [1] });

/** Outputs: items that meet the conditions, items that do not. An item that cannot be compared does not. */
export const ifNode: NodeType = {
  description: describeNode({
    name: 'if',
    displayName: 'If',
    versions: [1, 2, 2.1, 2.2, 2.3],
    outputs: 2,
    properties: [
      anything('conditions', 'filter', {}, typed),
      legacyConditions(legacy),
      choice('combineOperation', 'all', ['all', 'any'], legacy),
      flag('looseTypeValidation', false, when({ '@version': [atLeast(2.1)] })),
      settings([flag('ignoreCase', true), flag('looseTypeValidation', true)], typed),
    ],
  }),
  run: route,
};

function route(context: NodeContext): NodeResult {
  const isTrue = verdictOf(context, context.rawParameter('combineOperation', 'all') === 'any' ? 'any' : 'all');
  const outputs = emptyOutputs(2);
  context.items().forEach((item, index) => {
    context.signal.throwIfAborted();
    outputs[isTrue(index) ? 0 : 1]!.push(item);
  });
  return emit(...outputs);
}
