import { describe, expect, it } from 'vitest';
import { evaluateFast } from '../../testing/both-ways.ts';
import { executionDataOf, item, sourceOf } from '../../testing/execution-data-of.ts';

const data = executionDataOf({
  edges: ['In -> Check', 'Check.1 -> Current', 'Check -> Other'],
  nodes: {
    In: {
      parameters: { limit: 5, text: '={{ 1 + 1 }}' },
      context: { done: true },
      runs: [{ outputs: [[item({ v: 1 }), item({ v: 2 })]], sources: [null] }],
    },
    Check: {
      runs: [
        { outputs: [[item({ v: 'yes' })], [item({ v: 'no' }), item({ v: 'never' })]], sources: [sourceOf('In')] },
        { outputs: [[], [item({ v: 'late' })]], sources: [sourceOf('In')] },
      ],
    },
    "O'Brien & Co.": { runs: [{ outputs: [[item({ v: 'special' })]], sources: [null] }] },
    Failed: { runs: [{ outputs: [], sources: [sourceOf('In')] }] },
    Later: {},
  },
  inputs: [[item({ v: 'late' }), item({ v: 'more' })]],
  inputSources: [sourceOf('Check', 1, 1)],
});

const read = (expression: string, itemIndex = 0): unknown => {
  const ending = evaluateFast(`={{ ${expression} }}`, data, itemIndex);
  return ending && 'error' in ending ? ending.error : ending?.value;
};

describe('reading other nodes', () => {
  it.each([
    ["$('In').first().json.v", 1],
    ["$('In').last().json.v", 2],
    ["$('In').all().map(i => i.json.v)", [1, 2]],
    ["$('Check').first().json.v", 'late'],
    ["$('Check').first(1, 0).json.v", 'no'],
    ["$('Check').last(1, 0).json.v", 'never'],
    ["$('Check').all(0, 0).length", 1],
    ["$('Check').first(0)", undefined],
    ["$('Check').first(7)", undefined],
    ["$('Check').first(0, 9)", 'expression_argument'],
    ["$('Failed').first()", undefined],
    ["$('In').params.limit", 5],
    ["$('In').params.text", '={{ 1 + 1 }}'],
    ["$('In').context.done", true],
    ["$('Later').isExecuted", false],
    ["$('In').isExecuted", true],
    ["$('Later').first()", 'expression_node_not_executed'],
    ["$('Gone').isExecuted", 'expression_unknown_node'],
    ["$('Later').isExecuted ? $('Later').first() : 'not yet'", 'not yet'],
    [`$("O'Brien & Co.").first().json.v`, 'special'],
    [`$node["O'Brien & Co."].json.v`, 'special'],
    ['$node["In"].json.v', 1],
    ['$node.In.data.v', 1],
    ['$node["In"].runIndex', 0],
    ['$node["Check"].runIndex', 1],
    ['$node["In"].parameter.limit', 5],
    ['$node["In"].context.done', true],
    ['$node["Later"].json', 'expression_node_not_executed'],
    ['$node["Gone"].json', 'expression_unknown_node'],
    ['$items().length', 2],
    ['$items("Check", 1, 0).length', 2],
    ['$items("In")[1].json.v', 2],
    ['$item(1).$json.v', 'more'],
    ['$item(1).$node["In"].json.v', 2],
    ['$prevNode', { name: 'Check', outputIndex: 1, runIndex: 1 }],
    ['$input.params', {}],
    ['$input.all().length', 2],
    ['$input.first(1)', 'expression_argument'],
  ])('%s', (expression, expected) => {
    expect(read(expression)).toEqual(expected);
  });

  it('reads $node by position, which may be out of range', () => {
    expect(read('$node["In"].json.v', 1)).toBe(2);
    expect(read(`$node["O'Brien & Co."].json.v`, 1)).toBe('expression_argument');
  });
});
