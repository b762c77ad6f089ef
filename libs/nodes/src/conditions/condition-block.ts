import type { Json, JsonObject } from '@app/engine';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import { isExpression, isList, isRecord } from '../values/guards.ts';
import { comparisonFor, type Comparison } from './operators.ts';
import { typedSide, typingProblem, type TypingRules } from './typed-value.ts';

/** A block of conditions as If, Filter and Switch have it, prepared once and evaluated once per item. */
export interface ConditionBlock {
  readonly combinator: string;
  readonly ignoreCase: boolean;
  readonly strict: boolean;
  readonly version: number;
  readonly conditions: readonly Condition[];
}

interface Condition {
  readonly left: Json;
  readonly right: Json;
  readonly leftPath: string | null;
  readonly rightPath: string | null;
  readonly leftType: string;
  readonly rightType: string;
  readonly singleValue: boolean;
  readonly compare: Comparison;
}

// Normalised parameters belong to the program and are the same object in every activation, so a hot workflow prepares
// its blocks once per process. Nothing here depends on an execution.
const prepared = new WeakMap<JsonObject, ConditionBlock>();

/** The block under the parameter `path`. Only sides that are expressions are resolved again for each item. */
export function conditionBlock(context: NodeContext, path: string): ConditionBlock {
  const raw = context.rawParameter<Json>(path, {});
  if (isExpression(raw)) return prepare(recordOf(context.parameter<Json>(path, 0, {})), path);
  const block = recordOf(raw);
  let found = prepared.get(block);
  if (!found) prepared.set(block, (found = prepare(block, path)));
  return found;
}

/** Whether an item meets the block. Throws a `NodeError` for a value of the wrong type. */
export function meets(context: NodeContext, block: ConditionBlock, itemIndex: number): boolean {
  const sides = block.conditions.map((condition): readonly [unknown, unknown] => [
    condition.leftPath === null ? condition.left : context.parameter(condition.leftPath, itemIndex),
    condition.rightPath === null ? condition.right : context.parameter(condition.rightPath, itemIndex),
  ]);
  const rules: TypingRules = { strict: block.strict, version: block.version, zone: context.workflow.timezone };
  const holds = (index: number): boolean => {
    const condition = block.conditions[index]!;
    const [left, right] = sides[index]!;
    const typedLeft = typedSide(left, condition.leftType, rules);
    const typedRight = typedSide(right, condition.rightType, rules);
    if (!typedLeft) throw refusal(left, condition.leftType, block, index, itemIndex);
    if (!typedRight && !condition.singleValue) throw refusal(right, condition.rightType, block, index, itemIndex);
    return condition.compare(typedLeft.value, typedRight?.value, block.ignoreCase);
  };
  if (block.combinator === 'and') return sides.every((_, index) => holds(index));
  return block.combinator === 'or' && sides.some((_, index) => holds(index));
}

function refusal(value: unknown, type: string, block: ConditionBlock, index: number, itemIndex: number): NodeError {
  return new NodeError(`${typingProblem(value, type, block.strict)} [condition ${index}, item ${itemIndex}]`, {
    itemIndex,
    retryable: false,
    description: block.strict
      ? 'Change the type of the comparison, or let the node convert types where required (typeValidation "loose").'
      : 'Give a value that can be converted, or compare as another type.',
  });
}

function prepare(block: JsonObject, path: string): ConditionBlock {
  const options = recordOf(block['options']);
  const conditions = isList(block['conditions']) ? block['conditions'] : [];
  return {
    combinator: String(block['combinator'] ?? 'and'),
    ignoreCase: options['caseSensitive'] === false,
    strict: (options['typeValidation'] ?? 'strict') === 'strict',
    version: Number(options['version'] ?? 1),
    conditions: conditions.map((raw, index) => prepareCondition(recordOf(raw), `${path}.conditions[${index}]`)),
  };
}

function prepareCondition(condition: JsonObject, path: string): Condition {
  const operator = recordOf(condition['operator']);
  const type = String(operator['type'] ?? 'string');
  const dynamic = (side: string): string | null => (holdsExpression(condition[side]) ? `${path}.${side}` : null);
  return {
    left: condition['leftValue'],
    right: condition['rightValue'],
    leftPath: dynamic('leftValue'),
    rightPath: dynamic('rightValue'),
    leftType: type,
    rightType: String(operator['rightType'] ?? type),
    singleValue: operator['singleValue'] === true,
    compare: comparisonFor(type, String(operator['operation'] ?? 'equals')),
  };
}

const holdsExpression = (value: Json): boolean =>
  isExpression(value) || (typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression));

const recordOf = (value: Json): JsonObject => (isRecord(value) ? value : {});
