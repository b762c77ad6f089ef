import type { MemberExpression } from 'acorn';
import { chargeText } from './guards.ts';
import type { Frame, Scope } from './frame.ts';
import { blockedName, isBlockedName, toKey } from './members.ts';
import type { Unit } from './unit.ts';
import { unsupported } from './unit.ts';

/** The key when it stands in the source; undefined when it is computed. */
export function staticKey(node: MemberExpression): string | number | undefined {
  const { property } = node;
  if (!node.computed) return property.type === 'Identifier' ? property.name : undefined;
  if (property.type === 'Literal' && (typeof property.value === 'string' || typeof property.value === 'number')) return property.value;
  return undefined;
}

export function memberKey(node: MemberExpression, scope: Scope, unit: Unit): (frame: Frame) => string | number | symbol {
  if (node.property.type === 'PrivateIdentifier') throw unsupported('A private field');
  const fixed = staticKey(node);
  if (fixed !== undefined) {
    if (typeof fixed === 'string' && isBlockedName(fixed)) {
      return () => {
        throw blockedName(fixed);
      };
    }
    return () => fixed;
  }
  const key = unit.compile(node.property, scope);
  return (frame) => {
    const value = key(frame);
    if (frame.evaluation.guarded && typeof value === 'object' && value !== null) chargeText(frame.evaluation, value);
    return toKey(value);
  };
}
