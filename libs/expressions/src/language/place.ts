import type { Identifier, MemberExpression } from 'acorn';
import { MissingLink, NEEDS_SANDBOX } from './evaluation.ts';
import type { Frame, Scope } from './frame.ts';
import { frameAt } from './frame.ts';
import { memberKey } from './member-key.ts';
import { readMember } from './members.ts';
import type { Unit } from './unit.ts';
import { unsupported } from './unit.ts';

/** Writes to a variable or a member. */
export function writeTo(target: Identifier | MemberExpression, scope: Scope, unit: Unit): (frame: Frame, value: unknown) => void {
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

/** Something that can be read and written. */
export interface Place {
  read(): unknown;
  write(value: unknown): void;
}

export function placeOf(target: Identifier | MemberExpression, scope: Scope, unit: Unit): (frame: Frame) => Place {
  if (target.type === 'MemberExpression') return memberPlace(target, scope, unit);
  const read = unit.compile(target, scope);
  const write = writeTo(target, scope, unit);
  return (frame) => ({ read: () => read(frame), write: (value) => write(frame, value) });
}

export function memberPlace(target: MemberExpression, scope: Scope, unit: Unit): (frame: Frame) => Place & { remove(): boolean } {
  if (target.object.type === 'Super') throw unsupported('super');
  unit.changes = true;
  unit.uncertain = true;
  const object = unit.compile(target.object, scope);
  const keyOf = memberKey(target, scope, unit);
  return (frame) => {
    const holder = object(frame);
    const key = keyOf(frame);
    if (holder === null || holder === undefined) throw new MissingLink(`Cannot set properties of ${holder} (setting '${String(key)}')`);
    if (typeof holder !== 'object')
      throw frame.evaluation.guarded ? NEEDS_SANDBOX : new MissingLink(`Cannot set properties of a ${typeof holder}`);
    const { evaluation } = frame;
    evaluation.charge(1);
    evaluation.assertChangeable(holder);
    if (evaluation.guarded && Array.isArray(holder) && (key === 'length' || (typeof key === 'number' && key > holder.length + 1000)))
      throw NEEDS_SANDBOX;
    const fields = holder as Record<string | number | symbol, unknown>;
    return {
      read: () => readMember(holder, key),
      write: (value) => {
        // A list grows by writing behind its end: an index far away would be a huge list full of holes.
        if (Array.isArray(holder) && Number(key === 'length' ? value : key) > evaluation.longestList) throw evaluation.tooLarge();
        fields[key] = value;
      },
      remove: () => Reflect.deleteProperty(fields, key),
    };
  };
}
