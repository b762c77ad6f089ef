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

/**
 * Keeps the items that meet the conditions. From version 2 on the discarded ones leave by a second output that is
 * not declared: it is recorded and cannot be connected (n8n-engine.md, Q6).
 */
export const filter: NodeType = {
  description: describeNode({
    name: 'filter',
    displayName: 'Filter',
    versions: [1, 2, 2.1, 2.2, 2.3],
    properties: [
      anything('conditions', 'filter', {}, typed),
      legacyConditions(legacy),
      choice('combineConditions', 'AND', ['AND', 'OR'], legacy),
      flag('looseTypeValidation', false, when({ '@version': [atLeast(2.1)] })),
      settings([flag('ignoreCase', true), flag('looseTypeValidation', true)], typed),
    ],
  }),
  run: keep,
};

function keep(context: NodeContext): NodeResult {
  const isKept = verdictOf(context, context.rawParameter('combineConditions', 'AND') === 'OR' ? 'any' : 'all');
  const outputs = emptyOutputs(2);
  context.items().forEach((item, index) => {
    context.signal.throwIfAborted();
    outputs[isKept(index) ? 0 : 1]!.push(item);
  });
  return context.node.version === 1 ? emit(outputs[0]!) : emit(...outputs);
}
