import type { CallExpression, Expression, MemberExpression, NewExpression, SpreadElement } from 'acorn';
import { ExpressionExtensionError } from '../errors.ts';
import { findExtension, isExtensionName, runExtension, withoutExtension } from '../extensions/dispatch.ts';
import { itemsOf, NodeReference } from '../n8n/node-reference.ts';
import { pinnedMethod } from '../n8n/zoned-luxon.ts';
import { MissingLink, NEEDS_SANDBOX } from './evaluation.ts';
import type { Frame, Run, Scope } from './frame.ts';
import { guardConstruction, guardSize } from './globals.ts';
import { guardMethod, isAllowed, isMade } from './guards.ts';
import { memberKey, staticKey } from './member-key.ts';
import { readMember, SHORT } from './members.ts';
import { appendAll } from './spread.ts';
import type { Unit } from './unit.ts';
import { unsupported } from './unit.ts';

type Arguments = (frame: Frame) => unknown[];

/** Methods that never need the sandbox when their receiver is a text, a number, a date or a list of data. */
const CERTAIN = new Set(
  `
  all at charAt charCodeAt endOf endsWith first hasOwnProperty includes indexOf itemMatching last pairedItem setLocale
  setZone slice startOf startsWith substring toFixed toFormat toISO toISODate toISOTime toLowerCase toMillis toString
  toUpperCase trim trimEnd trimStart
`
    .trim()
    .split(/\s+/),
);
const CHANGES = new Set(
  `
  push pop shift unshift splice sort reverse fill copyWithin set add delete clear assign
`
    .trim()
    .split(/\s+/),
);

export function compileCall(node: CallExpression, scope: Scope, unit: Unit): Run {
  const { callee } = node;
  if (callee.type === 'Super') throw unsupported('super');
  const args = compileArguments(node.arguments, scope, unit);
  if (callee.type === 'Identifier' && !scope.find(callee.name)) {
    const special = languageCall(callee.name, node.arguments, args, scope, unit);
    if (special) return special;
  }
  return callee.type === 'MemberExpression'
    ? methodCall(callee, node.optional, args, scope, unit)
    : plainCall(callee, node.optional, args, scope, unit);
}

/** Calls whose meaning is known from the source alone. */
function languageCall(
  name: string,
  nodes: readonly (Expression | SpreadElement)[],
  args: Arguments,
  scope: Scope,
  unit: Unit,
): Run | undefined {
  const [first] = nodes;
  const literal = first?.type === 'Literal' && typeof first.value === 'string' ? first.value : undefined;
  switch (name) {
    case '$':
      if (literal !== undefined) {
        unit.nodes.add(literal);
        return (frame) => new NodeReference(frame.evaluation, literal);
      }
      unit.dynamicNodes = true;
      return (frame) => new NodeReference(frame.evaluation, String(args(frame)[0]));
    case '$items':
      if (nodes.length > 0) literal === undefined ? (unit.dynamicNodes = true) : unit.nodes.add(literal);
      return (frame) => {
        const [node, output, run] = args(frame) as [string?, number?, number?];
        return node === undefined ? frame.evaluation.view.items : itemsOf(frame.evaluation, node, output ?? 0, run);
      };
    case '$if':
      return conditional(nodes, scope, unit);
    default:
      return undefined;
  }
}

function conditional(nodes: readonly (Expression | SpreadElement)[], scope: Scope, unit: Unit): Run {
  const [test, then, otherwise] = nodes.map((node) => unit.compile(node, scope));
  if (!test || !then) {
    return () => {
      throw new ExpressionExtensionError(
        '$if() needs at least two arguments',
        'A condition, a value when it holds, and optionally one when it does not.',
      );
    };
  }
  return (frame) => (test(frame) ? then(frame) : otherwise ? otherwise(frame) : false);
}

function compileArguments(nodes: readonly (Expression | SpreadElement)[], scope: Scope, unit: Unit): Arguments {
  if (nodes.length === 0) return () => [];
  if (nodes.every((node) => node.type !== 'SpreadElement')) {
    const runs = nodes.map((node) => unit.compile(node, scope));
    if (runs.length === 1) {
      const [only] = runs as [Run];
      return (frame) => [only(frame)];
    }
    return (frame) => runs.map((run) => run(frame));
  }
  const parts = nodes.map((node) => ({
    isSpread: node.type === 'SpreadElement',
    run: unit.compile(node.type === 'SpreadElement' ? node.argument : node, scope),
  }));
  return (frame) => {
    const list: unknown[] = [];
    for (const { isSpread, run } of parts) {
      if (isSpread) appendAll(frame.evaluation, list, run(frame));
      else list.push(run(frame));
    }
    return list;
  };
}

function plainCall(callee: Expression, optional: boolean, args: Arguments, scope: Scope, unit: Unit): Run {
  const run = unit.compile(callee, scope);
  if (callee.type !== 'Identifier') unit.uncertain = true;
  return (frame) => {
    const fn = run(frame);
    if (fn === SHORT || (optional && (fn === null || fn === undefined))) return SHORT;
    if (typeof fn !== 'function') throw new MissingLink('The value called is not a function');
    const values = args(frame);
    const { evaluation } = frame;
    if (evaluation.guarded) {
      if (!isAllowed(fn)) throw NEEDS_SANDBOX;
      guardMethod(evaluation, undefined, '', fn, values);
    }
    guardSize(evaluation, undefined, '', fn, values);
    const result: unknown = (fn as (...args: unknown[]) => unknown)(...values);
    return fn === Array ? evaluation.made(result) : result;
  };
}

function methodCall(callee: MemberExpression, optionalCall: boolean, args: Arguments, scope: Scope, unit: Unit): Run {
  if (callee.object.type === 'Super') throw unsupported('super');
  const key = staticKey(callee);
  if (key === 'itemMatching' || key === 'pairedItem') unit.lineage = true;
  const object = unit.compile(callee.object, scope);
  if (typeof key === 'string') {
    if (CHANGES.has(key)) unit.changes = true;
    if (!isExtensionName(key) && !CERTAIN.has(key)) unit.uncertain = true;
  } else {
    unit.uncertain = true;
  }
  const keyOf = memberKey(callee, scope, unit);
  const extensible = typeof key === 'string' && isExtensionName(key);
  return (frame) => {
    const receiver = object(frame);
    if (receiver === SHORT || (callee.optional && (receiver === null || receiver === undefined))) return SHORT;
    if (extensible) {
      const dispatch = findExtension(receiver, key);
      if (dispatch) return runExtension(dispatch, key, args(frame), frame.evaluation);
    }
    const name = keyOf(frame);
    const method = receiver === null || receiver === undefined ? undefined : readMember(receiver, name);
    if (typeof method !== 'function') {
      if (optionalCall && (method === null || method === undefined) && receiver !== null && receiver !== undefined) return SHORT;
      if (extensible) return withoutExtension(receiver, key);
      if (receiver === null || receiver === undefined) readMember(receiver, name);
      throw new MissingLink(`${String(name)} is not a function`);
    }
    return callMethod(frame, receiver, name, method as (...args: unknown[]) => unknown, args(frame));
  };
}

function callMethod(
  frame: Frame,
  receiver: unknown,
  name: string | number | symbol,
  method: (...args: unknown[]) => unknown,
  args: unknown[],
): unknown {
  const { evaluation } = frame;
  if (evaluation.guarded) {
    guardMethod(evaluation, receiver, String(name), method, args);
  }
  guardSize(evaluation, receiver, String(name), method, args);
  const pinned = typeof name === 'string' ? pinnedMethod(receiver, name, args, evaluation.view.zone, evaluation.view.data.now) : undefined;
  if (pinned !== undefined) return pinned;
  const result: unknown = method.apply(receiver, args);
  return evaluation.guarded && (isMade(receiver, String(name)) || isNewList(method)) ? evaluation.made(result) : result;
}

const NEW_LISTS = new Set<unknown>([Array.from, Array.of, Object.keys, Object.values, Object.entries, Object.fromEntries, JSON.parse]);
const isNewList = (method: unknown): boolean => NEW_LISTS.has(method);

export function compileNew(node: NewExpression, scope: Scope, unit: Unit): Run {
  const constructorOf = unit.compile(node.callee, scope);
  const args = compileArguments(node.arguments, scope, unit);
  if (!(node.callee.type === 'Identifier' && node.callee.name === 'Date')) unit.uncertain = true;
  return (frame) => {
    const constructor = constructorOf(frame);
    if (typeof constructor !== 'function') throw new MissingLink('The value after "new" is not a constructor');
    const values = args(frame);
    if (frame.evaluation.guarded) guardConstruction(frame.evaluation, constructor, values);
    guardSize(frame.evaluation, undefined, '', constructor, values);
    return frame.evaluation.made(Reflect.construct(constructor, values) as unknown);
  };
}
