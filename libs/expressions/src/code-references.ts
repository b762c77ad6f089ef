import { Parser } from 'acorn';
import { noReferences } from './references.ts';
import type { References } from './references.ts';

interface SyntaxNode {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** By these names code reaches the names of nodes without writing them down. */
const INDIRECT = new Set([
  '$',
  '$node',
  '$items',
  '$item',
  '$evaluateExpression',
  '$parameter',
  '$getNodeParameter',
  'getNodeParameter',
  'globalThis',
  'eval',
  'Function',
]);
const PAIRING = new Set(['item', 'itemMatching', 'pairedItem']);

/**
 * Which nodes the code of a Code node may look at. Errs on the side of more: whatever is not written out plainly counts
 * as dynamic. Code that cannot be parsed will not run, so it needs nothing.
 */
export function referencesOfCode(code: string): References {
  let program: unknown;
  try {
    program = Parser.parse(`async function code() {\n${code}\n}`, { ecmaVersion: 'latest', sourceType: 'script' });
  } catch {
    return noReferences;
  }
  const found = { nodes: new Set<string>(), dynamic: false, lineage: false };
  visit(program, found);
  return { ...found, lineage: found.lineage && (found.dynamic || found.nodes.size > 0) };
}

interface Found {
  readonly nodes: Set<string>;
  dynamic: boolean;
  lineage: boolean;
}

function visit(value: unknown, found: Found): void {
  if (Array.isArray(value)) {
    for (const element of value) visit(element, found);
    return;
  }
  if (!isSyntaxNode(value)) return;
  const name = nodeNamedBy(value);
  if (name !== undefined) {
    found.nodes.add(name);
    // Past the identifier, which would otherwise count as an indirect use.
    visit(value['arguments'], found);
    return;
  }
  note(value, found);
  for (const [field, part] of Object.entries(value)) if (!isPlainName(value, field)) visit(part, found);
}

/** The name in `$("Name")`, `$items("Name")`, `$node["Name"]` and `$node.Name`. */
function nodeNamedBy(node: SyntaxNode): string | undefined {
  if (node.type === 'CallExpression' && (isIdentifier(node['callee'], '$') || isIdentifier(node['callee'], '$items'))) {
    const [first] = node['arguments'] as SyntaxNode[];
    if (first?.type === 'Literal' && typeof first['value'] === 'string') return first['value'];
    if (first?.type === 'TemplateLiteral' && (first['expressions'] as unknown[]).length === 0)
      return (first['quasis'] as { value: { cooked: string } }[])[0]?.value.cooked;
  }
  if (node.type === 'MemberExpression' && isIdentifier(node['object'], '$node')) {
    const property = node['property'] as SyntaxNode;
    if (!node['computed']) return String(property['name']);
    if (property.type === 'Literal') return String(property['value']);
  }
  return undefined;
}

function note(node: SyntaxNode, found: Found): void {
  if (node.type === 'CallExpression' && isIdentifier(node['callee'], '$items') && (node['arguments'] as unknown[]).length === 0) return;
  if (node.type === 'Identifier' && INDIRECT.has(String(node['name']))) {
    found.dynamic = true;
    if (node['name'] !== '$items' && node['name'] !== '$node') found.lineage = true;
  }
  if (node.type === 'MemberExpression') {
    const property = node['property'] as SyntaxNode;
    const key = node['computed'] ? (property.type === 'Literal' ? property['value'] : undefined) : property['name'];
    if ((key === undefined || PAIRING.has(String(key))) && !isIdentifier(node['object'], '$input')) found.lineage = true;
  }
  if (node.type === 'Property' && PAIRING.has(String((node['key'] as SyntaxNode)['name']))) found.lineage = true;
}

/** Names after a dot and keys of objects are no variables. */
function isPlainName(node: SyntaxNode, field: string): boolean {
  if (node['computed']) return false;
  return (node.type === 'MemberExpression' && field === 'property') || (node.type === 'Property' && field === 'key' && !node['shorthand']);
}

function isIdentifier(value: unknown, name: string): boolean {
  return isSyntaxNode(value) && value.type === 'Identifier' && value['name'] === name;
}

function isSyntaxNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}
