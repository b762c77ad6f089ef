import type { ChainExpression, MemberExpression } from 'acorn';
import { isExtensionName } from '../extensions/dispatch.ts';
import { VARIABLES } from '../n8n/variables.ts';
import type { Run, Scope } from './frame.ts';
import { memberKey, staticKey } from './member-key.ts';
import { isBlockedName, missing, readMember, SHORT } from './members.ts';
import type { Unit } from './unit.ts';
import { SyntaxProblem, unsupported } from './unit.ts';

export function compileChain(node: ChainExpression, scope: Scope, unit: Unit): Run {
  if (unit.objectLiterals > 0 && callsExtension(node))
    throw new SyntaxProblem('"?." before an extension method cannot stand within an object literal');
  const run = unit.compile(node.expression, scope);
  return (frame) => {
    const value = run(frame);
    return value === SHORT ? undefined : value;
  };
}

function callsExtension(chain: ChainExpression): boolean {
  let node: { type: string; callee?: unknown; object?: unknown; property?: { type: string; name?: string } } = chain.expression;
  while (node.type === 'CallExpression' || node.type === 'MemberExpression') {
    const next = (node.type === 'CallExpression' ? node.callee : node.object) as typeof node;
    if (
      node.type === 'CallExpression' &&
      next.type === 'MemberExpression' &&
      next.property?.name !== undefined &&
      isExtensionName(next.property.name)
    )
      return true;
    node = next;
  }
  return false;
}

export function compileMember(node: MemberExpression, scope: Scope, unit: Unit): Run {
  if (node.object.type === 'Super') throw unsupported('super');
  const path = plainPath(node, scope);
  if (path) return path;
  noteReference(node, scope, unit);
  const named = nodeOf(node, scope, unit);
  const object = named ?? unit.compile(node.object, scope);
  const fixed = staticKey(node);
  const { optional } = node;
  if (fixed !== undefined && !(typeof fixed === 'string' && isBlockedName(fixed))) {
    return (frame) => {
      const holder = object(frame) as Record<string | number, unknown> | null | undefined;
      if (holder === null || holder === undefined) {
        if (optional) return SHORT;
        throw missing(holder, fixed);
      }
      return (holder as unknown) === SHORT ? SHORT : holder[fixed];
    };
  }
  const keyOf = memberKey(node, scope, unit);
  return (frame) => {
    const holder = object(frame);
    if (holder === SHORT || (optional && (holder === null || holder === undefined))) return SHORT;
    return readMember(holder, keyOf(frame));
  };
}

/** `$json.a.b`, `$json["a b"].c`: by far the most frequent shape, read without a closure per link. */
function plainPath(node: MemberExpression, scope: Scope): Run | undefined {
  const keys: (string | number)[] = [];
  let at: MemberExpression['object'] = node;
  while (at.type === 'MemberExpression') {
    const key = staticKey(at);
    if (key === undefined || at.optional || (typeof key === 'string' && isBlockedName(key))) return undefined;
    keys.unshift(key);
    at = at.object;
  }
  if (at.type !== 'Identifier' || at.name !== '$json' || scope.find('$json')) return undefined;
  const [first, second] = keys as [string | number, string | number];
  if (keys.length === 1) {
    return (frame) => {
      const json = frame.evaluation.view.items[frame.evaluation.itemIndex]?.json;
      if (json === undefined || json === null) throw missing(json, first);
      return json[first];
    };
  }
  if (keys.length === 2) {
    return (frame) => {
      const json = frame.evaluation.view.items[frame.evaluation.itemIndex]?.json;
      if (json === undefined || json === null) throw missing(json, first);
      const inner = json[first] as Record<string, unknown> | null | undefined;
      if (inner === undefined || inner === null) throw missing(inner, second);
      return inner[second];
    };
  }
  return (frame) => {
    let value: unknown = frame.evaluation.view.items[frame.evaluation.itemIndex]?.json;
    for (let index = 0; index < keys.length; index++) {
      if (value === undefined || value === null) throw missing(value, keys[index]!);
      value = (value as Record<string, unknown>)[keys[index]!];
    }
    return value;
  };
}

/** `.item` and its relatives follow the pairing of items; so might any computed key. */
function noteReference(node: MemberExpression, scope: Scope, unit: Unit): void {
  const key = staticKey(node);
  if (key === 'item' || key === 'pairedItem' || key === 'itemMatching') {
    // $input.item is the current item and needs no walk.
    if (!(node.object.type === 'Identifier' && node.object.name === '$input' && !scope.find('$input'))) unit.lineage = true;
  }
  const isNode = node.object.type === 'CallExpression' && node.object.callee.type === 'Identifier' && node.object.callee.name === '$';
  if (key === undefined && isNode) unit.lineage = true;
}

/** `$node["Name"]` and `$node.Name`: the name of the node stands in the source. */
function nodeOf(node: MemberExpression, scope: Scope, unit: Unit): Run | undefined {
  if (node.object.type !== 'Identifier' || node.object.name !== '$node' || scope.find('$node')) return undefined;
  const key = staticKey(node);
  if (key === undefined) return undefined;
  unit.nodes.add(String(key));
  const variable = VARIABLES['$node']!;
  return (frame) => variable(frame.evaluation);
}
