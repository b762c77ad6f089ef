import type { NodeContext } from '../node-context.ts';
import { conditionBlock, meets } from './condition-block.ts';
import { meetsLegacy } from './legacy-block.ts';

export type Verdict = (itemIndex: number) => boolean;

/** How If and Filter judge an item. One that cannot be compared counts as not meeting when the node continues on failure. */
export function verdictOf(context: NodeContext, legacyCombine: 'all' | 'any'): Verdict {
  if (context.node.version === 1) return (itemIndex) => meetsLegacy(context, legacyCombine, itemIndex);
  const block = conditionBlock(context, 'conditions');
  return (itemIndex) => {
    try {
      return meets(context, block, itemIndex);
    } catch (error) {
      if (context.continueOnFail) return false;
      throw error;
    }
  };
}
