import { VARIABLES } from '../n8n/variables.ts';
import type { Run, Scope } from './frame.ts';
import { frameAt } from './frame.ts';
import { globalOf } from './globals.ts';
import type { Unit } from './unit.ts';

/** Names whose value names nodes in a way that the source does not show. */
const NODE_NAMING = new Set(['$', '$node', '$items', '$item']);

/** What these give can be much larger than what they are given. */
const CHOOSES_SIZE = new Set(['$jmespath', 'numberList', 'Array', 'Map', 'Set', 'BigInt', 'String']);

/**
 * Variables of functions first, then what the language gives, then what the caller passed, then JavaScript's globals.
 * An unknown name is undefined.
 */
export function compileIdentifier(name: string, scope: Scope, unit: Unit): Run {
  const found = scope.find(name);
  if (found) {
    const { depth, position } = found;
    if (depth === 0) return (frame) => frame.values[position];
    if (depth === 1) return (frame) => frame.parent!.values[position];
    return (frame) => frameAt(frame, depth).values[position];
  }
  if (name === 'undefined') return () => undefined;
  if (name === '$json') return (frame) => frame.evaluation.view.items[frame.evaluation.itemIndex]?.json;
  if (Object.hasOwn(VARIABLES, name)) {
    if (NODE_NAMING.has(name)) unit.dynamicNodes = true;
    if (name === '$evaluateExpression' || name === '$parameter') {
      unit.uncertain = true;
      unit.dynamicNodes = true;
      unit.lineage = true;
    }
    if (CHOOSES_SIZE.has(name)) unit.uncertain = true;
    const variable = VARIABLES[name]!;
    return (frame) => variable(frame.evaluation);
  }
  if (CHOOSES_SIZE.has(name)) unit.uncertain = true;
  const global = globalOf(name);
  return (frame) => {
    const { variables } = frame.evaluation;
    if (variables && Object.hasOwn(variables, name)) return variables[name];
    return global?.(frame.evaluation);
  };
}
