import type { Item, JsonObject } from '@app/engine';
import type { NodeResult } from '../src/node-result.ts';
import type { NodeType } from '../src/node-type.ts';
import { nodeContext, type TestRun } from './node-context.ts';

/** Runs a node and gives its items by output; lists are read from the memory of the run. */
export async function outputsOf(node: NodeType, run: TestRun = {}): Promise<Item[][]> {
  const context = nodeContext(node, run);
  const result = itemsResult(await node.run(context));
  return (result.outputs ?? []).map((output) => {
    if (output === null) return [];
    return 'list' in output ? (context.memory.lists[output.list] ?? []) : [...output];
  });
}

/** Only the json of the items. */
export const jsonOf = async (node: NodeType, run: TestRun = {}): Promise<JsonObject[][]> =>
  (await outputsOf(node, run)).map((items) => items.map((item) => item.json));

/** The json of the first output. */
export const firstOf = async (node: NodeType, run: TestRun = {}): Promise<JsonObject[]> => (await jsonOf(node, run))[0] ?? [];

export function itemsResult(result: NodeResult): Extract<NodeResult, { kind: 'items' }> {
  if (result.kind !== 'items') throw new Error(`The node answered with "${result.kind}" instead of items.`);
  return result;
}
