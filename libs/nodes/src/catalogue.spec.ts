import { describe, expect, it } from 'vitest';
import { describeNodeType } from '../testing/node.contract.ts';
import { catalogue, NodeCatalogue, UnknownNodeType } from './catalogue.ts';
import { describeNode } from './description.ts';
import { emitNothing } from './emit.ts';
import { nearMatches } from './near-matches.ts';
import type { NodeType } from './node-type.ts';

const sample = (name: string, versions: number[]): NodeType => ({
  description: describeNode({ name, displayName: name, versions }),
  run: () => emitNothing,
});

describe('NodeCatalogue', () => {
  it('finds a node by type and exact version', () => {
    const nodes = catalogue();
    expect(nodes.get('n8n-nodes-base.set', 2)).not.toBe(nodes.get('n8n-nodes-base.set', 3.4));
    expect(nodes.describe('n8n-nodes-base.set', 3.4)?.versions).toContain(3.4);
    expect(nodes.describe('n8n-nodes-base.set', 99)).toBeUndefined();
  });

  it('refuses to start with two nodes for the same type and version', () => {
    expect(() => new NodeCatalogue([sample('a', [1, 2]), sample('a', [3])])).not.toThrow();
    expect(() => new NodeCatalogue([sample('a', [1, 2]), sample('a', [2])])).toThrow(/"n8n-nodes-base.a" version 2 is registered twice/);
  });

  it('names near matches of an unknown type, and the versions of a known one', () => {
    const nodes = catalogue();
    expect(() => nodes.get('n8n-nodes-base.splitInBatchs', 3)).toThrow(/Did you mean n8n-nodes-base.splitInBatches/);
    expect(() => nodes.get('n8n-nodes-base.if', 7)).toThrow(/no version 7; carried: 1, 2/);
    expect(() => nodes.get('n8n-nodes-base.teleport', 1)).toThrow(UnknownNodeType);
  });
});

describe('nearMatches', () => {
  it('compares the last part of the name and gives three at most, best first', () => {
    const known = ['x.merge', 'x.marge', 'x.merges', 'x.verge', 'x.unrelated'];
    expect(nearMatches('other.merge', known)).toEqual(['x.merge', 'x.marge', 'x.merges']);
    expect(nearMatches('qqqqqq', known)).toEqual([]);
  });
});

catalogue().all().forEach(describeNodeType);
