import type { AnyNode, ArrayExpression, Expression, LogicalExpression, ObjectExpression, SpreadElement, TemplateLiteral } from 'acorn';
import { compileAssignment, compileDelete, compileUpdate } from './compile-assignment.ts';
import { compileCall, compileNew } from './compile-call.ts';
import { compileChain, compileMember } from './compile-chain.ts';
import { compileFunction } from './compile-function.ts';
import type { FunctionNode } from './compile-function.ts';
import { compileIdentifier } from './compile-identifier.ts';
import { MissingLink, NEEDS_SANDBOX } from './evaluation.ts';
import type { Run, Scope } from './frame.ts';
import { chargeText } from './guards.ts';
import { blockedName, isBlockedName, toKey } from './members.ts';
import { binary, unary } from './operators.ts';
import { appendAll } from './spread.ts';
import { longestSafeSubject } from '@app/engine';
import type { Unit } from './unit.ts';
import { unsupported } from './unit.ts';

/**
 * Turns a piece of the syntax tree into a closure. The same closures run in the worker's own thread and in the
 * sandbox, so the two cannot differ; only what they are allowed to call does.
 */
export function compileNode(node: AnyNode, scope: Scope, unit: Unit): Run {
  switch (node.type) {
    case 'Literal':
      return compileLiteral(node, unit);
    case 'Identifier':
      return compileIdentifier(node.name, scope, unit);
    case 'MemberExpression':
      return compileMember(node, scope, unit);
    case 'ChainExpression':
      return compileChain(node, scope, unit);
    case 'CallExpression':
      return compileCall(node, scope, unit);
    case 'NewExpression':
      return compileNew(node, scope, unit);
    case 'ConditionalExpression': {
      const test = unit.compile(node.test, scope);
      const then = unit.compile(node.consequent, scope);
      const otherwise = unit.compile(node.alternate, scope);
      return (frame) => (test(frame) ? then(frame) : otherwise(frame));
    }
    case 'LogicalExpression':
      return compileLogical(node, scope, unit);
    case 'BinaryExpression': {
      if (node.left.type === 'PrivateIdentifier') throw unsupported('A private field');
      const run = binary(node.operator, unit.compile(node.left, scope), unit.compile(node.right, scope));
      if (!run) throw unsupported(`The operator ${node.operator}`);
      return run;
    }
    case 'UnaryExpression': {
      if (node.operator === 'delete') return compileDelete(node, scope, unit);
      const run = unary(node.operator, unit.compile(node.argument, scope));
      if (!run) throw unsupported(`The operator ${node.operator}`);
      return run;
    }
    case 'TemplateLiteral':
      return compileTemplateLiteral(node, scope, unit);
    case 'TaggedTemplateExpression': {
      const tag = unit.compile(node.tag, scope);
      const values = node.quasi.expressions.map((expression) => unit.compile(expression, scope));
      const strings = Object.assign(
        node.quasi.quasis.map((part) => part.value.cooked ?? ''),
        { raw: node.quasi.quasis.map((part) => part.value.raw) },
      );
      unit.uncertain = true;
      return (frame) => {
        const fn = tag(frame);
        if (fn !== String.raw && frame.evaluation.guarded) throw NEEDS_SANDBOX;
        if (typeof fn !== 'function') throw new MissingLink('The tag is not a function');
        return (fn as (...args: unknown[]) => unknown)(strings, ...values.map((value) => value(frame)));
      };
    }
    case 'ArrayExpression':
      return compileArray(node, scope, unit);
    case 'ObjectExpression':
      return compileObject(node, scope, unit);
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration':
      return compileFunction(node as FunctionNode, scope, unit);
    case 'AssignmentExpression':
      return compileAssignment(node, scope, unit);
    case 'UpdateExpression':
      return compileUpdate(node, scope, unit);
    case 'SequenceExpression': {
      const runs = node.expressions.map((expression) => unit.compile(expression, scope));
      return (frame) => runs.reduce<unknown>((_last, run) => run(frame), undefined);
    }
    case 'ParenthesizedExpression':
      return unit.compile(node.expression, scope);
    case 'ThisExpression':
      return () => undefined;
    default:
      throw unsupported(`The syntax ${node.type}`);
  }
}

function compileLiteral(node: Extract<Expression, { type: 'Literal' }>, unit: Unit): Run {
  if (node.regex) {
    const { pattern, flags } = node.regex;
    unit.uncertain = true;
    const neverFast = longestSafeSubject(pattern) === 0;
    return (frame) => {
      if (neverFast && frame.evaluation.guarded) throw NEEDS_SANDBOX;
      return new RegExp(pattern, flags);
    };
  }
  if (node.bigint !== undefined && node.bigint !== null) unit.uncertain = true;
  const { value } = node;
  return () => value;
}

function compileLogical(node: LogicalExpression, scope: Scope, unit: Unit): Run {
  const left = unit.compile(node.left, scope);
  const right = unit.compile(node.right, scope);
  switch (node.operator) {
    case '&&':
      return (frame) => left(frame) && right(frame);
    case '||':
      return (frame) => left(frame) || right(frame);
    default:
      return (frame) => left(frame) ?? right(frame);
  }
}

function compileTemplateLiteral(node: TemplateLiteral, scope: Scope, unit: Unit): Run {
  const texts = node.quasis.map((part) => part.value.cooked ?? '');
  const runs = node.expressions.map((expression) => unit.compile(expression, scope));
  return (frame) => {
    let result = texts[0]!;
    for (let index = 0; index < runs.length; index++) {
      const value = runs[index]!(frame);
      if (frame.evaluation.guarded && typeof value === 'object' && value !== null) chargeText(frame.evaluation, value);
      result += `${value as string}${texts[index + 1]!}`;
      if (result.length > frame.evaluation.longestText) throw frame.evaluation.tooLarge();
    }
    return result;
  };
}

function compileArray(node: ArrayExpression, scope: Scope, unit: Unit): Run {
  const elements = node.elements.map(
    (element) =>
      element && {
        isSpread: element.type === 'SpreadElement',
        run: unit.compile(element.type === 'SpreadElement' ? element.argument : element, scope),
      },
  );
  return (frame) => {
    const list: unknown[] = [];
    for (const element of elements) {
      if (!element) list.length++;
      else if (element.isSpread) appendAll(frame.evaluation, list, element.run(frame));
      else list.push(element.run(frame));
    }
    return unit.changes ? frame.evaluation.made(list) : list;
  };
}

function compileObject(node: ObjectExpression, scope: Scope, unit: Unit): Run {
  unit.objectLiterals++;
  const parts = node.properties.map((property) => compileProperty(property, scope, unit));
  unit.objectLiterals--;
  return (frame) => {
    const result: Record<string, unknown> = {};
    for (const { keyOf, run } of parts) {
      if (keyOf) {
        result[keyOf(frame) as string] = run(frame);
        continue;
      }
      const spread = run(frame);
      if (Array.isArray(spread)) frame.evaluation.charge(spread.length);
      Object.assign(result, spread);
    }
    return unit.changes ? frame.evaluation.made(result) : result;
  };
}

function compileProperty(
  property: ObjectExpression['properties'][number],
  scope: Scope,
  unit: Unit,
): { readonly keyOf: Run | undefined; readonly run: Run } {
  if (property.type === 'SpreadElement') return { keyOf: undefined, run: unit.compile((property satisfies SpreadElement).argument, scope) };
  if (property.kind !== 'init') throw unsupported('A getter or setter');
  const run = unit.compile(property.value, scope);
  if (property.computed) {
    const key = unit.compile(property.key, scope);
    return { keyOf: (frame) => toKey(key(frame)), run };
  }
  const name = property.key.type === 'Identifier' ? property.key.name : property.key.type === 'Literal' ? String(property.key.value) : '';
  if (isBlockedName(name)) throw blockedName(name);
  return { keyOf: () => name, run };
}
