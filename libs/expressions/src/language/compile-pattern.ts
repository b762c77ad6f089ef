import type { Expression, Pattern } from 'acorn';
import { MissingLink } from './evaluation.ts';
import type { Frame, Run, Scope } from './frame.ts';
import { isBlockedName, blockedName, toKey } from './members.ts';
import { writeTo } from './place.ts';
import type { Unit } from './unit.ts';
import { unsupported } from './unit.ts';

export type Bind = (frame: Frame, value: unknown) => void;

/** Names a pattern introduces. */
export function declarePattern(pattern: Pattern, scope: Scope): void {
  switch (pattern.type) {
    case 'Identifier':
      scope.declare(pattern.name);
      return;
    case 'ObjectPattern':
      for (const property of pattern.properties)
        declarePattern(property.type === 'RestElement' ? property.argument : property.value, scope);
      return;
    case 'ArrayPattern':
      for (const element of pattern.elements) if (element) declarePattern(element, scope);
      return;
    case 'AssignmentPattern':
      return declarePattern(pattern.left, scope);
    case 'RestElement':
      return declarePattern(pattern.argument, scope);
    default:
  }
}

export function compilePattern(pattern: Pattern, scope: Scope, unit: Unit): Bind {
  switch (pattern.type) {
    case 'Identifier':
    case 'MemberExpression':
      return writeTo(pattern, scope, unit);
    case 'AssignmentPattern': {
      const bind = compilePattern(pattern.left, scope, unit);
      const fallback = unit.compile(pattern.right, scope);
      return (frame, value) => bind(frame, value === undefined ? fallback(frame) : value);
    }
    case 'ObjectPattern':
      return objectPattern(pattern, scope, unit);
    case 'ArrayPattern':
      return arrayPattern(pattern, scope, unit);
    default:
      throw unsupported(`The pattern ${pattern.type}`);
  }
}

function objectPattern(pattern: Extract<Pattern, { type: 'ObjectPattern' }>, scope: Scope, unit: Unit): Bind {
  const parts: ((frame: Frame, value: object, taken: Set<string>) => void)[] = pattern.properties.map((property) => {
    if (property.type === 'RestElement') {
      const bind = compilePattern(property.argument, scope, unit);
      return (frame, value, taken) => bind(frame, Object.fromEntries(Object.entries(value).filter(([key]) => !taken.has(key))));
    }
    const keyOf = patternKey(property.key, property.computed, scope, unit);
    const bind = compilePattern(property.value, scope, unit);
    return (frame, value, taken) => {
      const key = keyOf(frame) as string;
      taken.add(String(key));
      bind(frame, (value as Record<string, unknown>)[key]);
    };
  });
  return (frame, value) => {
    if (value === null || value === undefined) throw new MissingLink(`Cannot destructure '${value}'`);
    frame.evaluation.charge(parts.length);
    const taken = new Set<string>();
    for (const part of parts) part(frame, value, taken);
  };
}

function patternKey(key: Expression, computed: boolean, scope: Scope, unit: Unit): Run {
  if (computed) {
    const run = unit.compile(key, scope);
    return (frame) => toKey(run(frame));
  }
  const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '';
  if (isBlockedName(name)) throw blockedName(name);
  if (name === 'item') unit.lineage = true;
  return () => name;
}

function arrayPattern(pattern: Extract<Pattern, { type: 'ArrayPattern' }>, scope: Scope, unit: Unit): Bind {
  const parts = pattern.elements.map((element) => {
    if (!element) return null;
    const isRest = element.type === 'RestElement';
    return { isRest, bind: compilePattern(isRest ? element.argument : element, scope, unit) };
  });
  return (frame, value) => {
    if (value === null || value === undefined || typeof (value as { [Symbol.iterator]?: unknown })[Symbol.iterator] !== 'function')
      throw new MissingLink(`${typeof value} is not iterable`);
    const list: unknown[] = Array.isArray(value) ? value : [...(value as Iterable<unknown>)];
    frame.evaluation.charge(parts.length);
    parts.forEach((part, index) => part?.bind(frame, part.isRest ? frame.evaluation.made(list.slice(index)) : list[index]));
  };
}
