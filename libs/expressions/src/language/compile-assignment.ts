import type { AssignmentExpression, Identifier, MemberExpression, UnaryExpression, UpdateExpression } from 'acorn';
import { compilePattern } from './compile-pattern.ts';
import { NEEDS_SANDBOX } from './evaluation.ts';
import type { Frame, Run, Scope } from './frame.ts';
import { operatorOf } from './operators.ts';
import { chargeText } from './guards.ts';
import { memberPlace, placeOf } from './place.ts';
import type { Unit } from './unit.ts';
import { unsupported } from './unit.ts';

export function compileAssignment(node: AssignmentExpression, scope: Scope, unit: Unit): Run {
  const right = unit.compile(node.right, scope);
  if (node.operator === '=') {
    const bind = compilePattern(node.left, scope, unit);
    return (frame) => {
      const value = right(frame);
      bind(frame, value);
      return value;
    };
  }
  const place = placeOf(node.left as Identifier | MemberExpression, scope, unit);
  const sign = node.operator.slice(0, -1);
  if (sign === '??' || sign === '||' || sign === '&&') {
    return (frame) => {
      const { read, write } = place(frame);
      const current = read();
      const keeps = sign === '??' ? current !== null && current !== undefined : sign === '||' ? Boolean(current) : !current;
      if (keeps) return current;
      const value = right(frame);
      write(value);
      return value;
    };
  }
  const operate = operatorOf(sign);
  if (!operate) throw unsupported(`The operator ${node.operator}`);
  return (frame) => {
    const { read, write } = place(frame);
    const left = read();
    const operand = right(frame);
    if (frame.evaluation.guarded) payForOperands(frame, left, operand);
    if (typeof left === 'string' && typeof operand === 'string' && left.length + operand.length > frame.evaluation.longestText)
      throw frame.evaluation.tooLarge();
    const value = operate(left, operand);
    write(value);
    return value;
  };
}

function payForOperands(frame: Frame, left: unknown, right: unknown): void {
  for (const side of [left, right]) {
    if (typeof side === 'object' && side !== null) chargeText(frame.evaluation, side);
    if (typeof side === 'bigint') throw NEEDS_SANDBOX;
    if (typeof side === 'string') frame.evaluation.charge(side.length >> 6);
  }
}

export function compileUpdate(node: UpdateExpression, scope: Scope, unit: Unit): Run {
  const place = placeOf(node.argument as Identifier | MemberExpression, scope, unit);
  const step = node.operator === '++' ? 1 : -1;
  return (frame) => {
    const { read, write } = place(frame);
    const before = Number(read());
    write(before + step);
    return node.prefix ? before + step : before;
  };
}

export function compileDelete(node: UnaryExpression, scope: Scope, unit: Unit): Run {
  const target = node.argument.type === 'ChainExpression' ? node.argument.expression : node.argument;
  if (target.type !== 'MemberExpression') throw unsupported('delete of something that is no field');
  const place = memberPlace(target, scope, unit);
  return (frame) => place(frame).remove();
}
