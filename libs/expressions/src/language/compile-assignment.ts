import type { AssignmentExpression, Identifier, MemberExpression, UnaryExpression, UpdateExpression } from 'acorn';
import { compileNode } from './compile-node.ts';
import { compilePattern } from './compile-pattern.ts';
import type { Bind } from './compile-pattern.ts';
import { MissingLink, NEEDS_SANDBOX } from './evaluation.ts';
import type { Frame, Run, Scope } from './frame.ts';
import { frameAt } from './frame.ts';
import { memberKey } from './member-key.ts';
import { readMember } from './members.ts';
import { operatorOf } from './operators.ts';
import { chargeText } from './guards.ts';
import type { Unit } from './unit.ts';
import { unsupported } from './unit.ts';

/** Writes to a variable or a member. */
export function assignment(target: Identifier | MemberExpression, scope: Scope, unit: Unit): Bind {
  if (target.type === 'MemberExpression') {
    const place = memberPlace(target, scope, unit);
    return (frame, value) => place(frame).write(value);
  }
  const found = scope.find(target.name);
  if (!found) throw unsupported(`Assigning to "${target.name}", which is not declared here,`);
  const { depth, position } = found;
  return (frame, value) => {
    frameAt(frame, depth).values[position] = value;
  };
}

export function compileAssignment(node: AssignmentExpression, scope: Scope, unit: Unit): Run {
  const right = compileNode(node.right, scope, unit);
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

interface Place {
  read(): unknown;
  write(value: unknown): void;
}

function placeOf(target: Identifier | MemberExpression, scope: Scope, unit: Unit): (frame: Frame) => Place {
  if (target.type === 'MemberExpression') return memberPlace(target, scope, unit);
  const read = compileNode(target, scope, unit);
  const write = assignment(target, scope, unit);
  return (frame) => ({ read: () => read(frame), write: (value) => write(frame, value) });
}

function memberPlace(target: MemberExpression, scope: Scope, unit: Unit): (frame: Frame) => Place & { remove(): boolean } {
  if (target.object.type === 'Super') throw unsupported('super');
  unit.changes = true;
  unit.uncertain = true;
  const object = compileNode(target.object, scope, unit);
  const keyOf = memberKey(target, scope, unit);
  return (frame) => {
    const holder = object(frame);
    const key = keyOf(frame);
    if (holder === null || holder === undefined) throw new MissingLink(`Cannot set properties of ${holder} (setting '${String(key)}')`);
    if (typeof holder !== 'object') throw frame.evaluation.guarded ? NEEDS_SANDBOX : new MissingLink(`Cannot set properties of a ${typeof holder}`);
    frame.evaluation.charge(1);
    frame.evaluation.assertChangeable(holder);
    // A list grows by writing behind its end: an index far away would be a huge, sparse list.
    if (frame.evaluation.guarded && Array.isArray(holder) && (key === 'length' || (typeof key === 'number' && key > holder.length + 1000))) throw NEEDS_SANDBOX;
    const fields = holder as Record<string | number | symbol, unknown>;
    return {
      read: () => readMember(holder, key),
      write: (value) => {
        fields[key] = value;
      },
      remove: () => Reflect.deleteProperty(fields, key),
    };
  };
}
