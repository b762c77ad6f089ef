import { describe, expect, it } from 'vitest';
import { compileExpression } from './compile-expression.ts';
import { referencesOfCode } from './code-references.ts';
import { referencesOf } from './parameter-plan.ts';
import type { References } from './references.ts';

const told = ({ nodes, dynamic, lineage }: References): string =>
  [[...nodes].sort().join('+') || 'none', dynamic && 'dynamic', lineage && 'lineage'].filter(Boolean).join(' ');

describe('references of an expression', () => {
  it.each([
    ['plain', 'none'],
    ['={{ $json.item.pairedItem }}', 'none'],
    ['={{ $input.item.json.a }}', 'none'],
    ["={{ $('A').first().json.x }}", 'A'],
    ["={{ $('A').item.json.x }}", 'A lineage'],
    ['={{ $("A").itemMatching(1).json.x }} and {{ $node["B"].json.y }}', 'A+B lineage'],
    ['={{ $node.C.json.y }}', 'C'],
    ['={{ $items("D", 0, 1)[0].json.z }}', 'D'],
    ['={{ $items().length }}', 'none'],
    ['={{ $($json.name).first() }}', 'none dynamic'],
    ['={{ $node[$json.name].json }}', 'none dynamic'],
    ['={{ $items($json.name) }}', 'none dynamic'],
    ['={{ ((f) => f("A").item)($) }}', 'none dynamic lineage'],
    ["={{ (({ item }) => item.json.x)($('A')) }}", 'A lineage'],
    ["={{ $('A')[$json.k] }}", 'A lineage'],
    ['={{ $evaluateExpression($json.t) }}', 'none dynamic lineage'],
  ])('%s: %s', (text, expected) => {
    expect(told(compileExpression(text).references)).toBe(expected);
  });

  it('are joined over a whole tree of parameters', () => {
    expect(told(referencesOf({ a: { b: ["={{ $('A').first() }}", 5, null] }, c: "={{ $('B').item }}", d: "$('C')" }))).toBe('A+B lineage');
  });

  it('are found once for a tree', () => {
    const parameters = { a: "={{ $('A').first() }}" };
    expect(referencesOf(parameters)).toBe(referencesOf(parameters));
  });
});

describe('references of code', () => {
  it.each([
    ['return items;', 'none'],
    ['return $input.all().map(i => ({ json: i.json, pairedItem: i.pairedItem }));', 'none'],
    ["return $('A').all();", 'A'],
    ['const n = await $node["A"].json; return $items(`B`).length;', 'A+B'],
    ["return { from: $('A').item.json.a };", 'A lineage'],
    ["return items.map((i, x) => $('A').itemMatching(x));", 'A lineage'],
    ["const { item } = $('A'); return item;", 'A lineage'],
    ["const all = n => $(n).all(); return all('A');", 'none dynamic lineage'],
    ['const get = $; return get("A").first();', 'none dynamic lineage'],
    ['return eval("$(\'A\')").first();', 'none dynamic lineage'],
    ['return { $: 1, $node: 2 };', 'none'],
    ['return [ { json: } ];', 'none'],
  ])('%s: %s', (code, expected) => {
    expect(told(referencesOfCode(code))).toBe(expected);
  });
});
