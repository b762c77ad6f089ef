import type { PropertyDescription } from '@app/engine';
import { aggregate } from '../aggregate/aggregate.ts';
import { describeNode } from '../description.ts';
import { emit } from '../emit.ts';
import { limit } from '../limit/limit.ts';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import type { NodeResult } from '../node-result.ts';
import type { NodeType } from '../node-type.ts';
import { choice, settings } from '../parameters/properties.ts';
import { duplicateProperties, withoutDuplicates } from '../remove-duplicates/remove-duplicates.ts';
import { sort } from '../sort/sort.ts';
import { splitOut } from '../split-out/split-out.ts';
import { summarized, summarizeProperties } from '../summarize/summarize.ts';

interface Operation {
  readonly properties: readonly PropertyDescription[];
  run(context: NodeContext): NodeResult | Promise<NodeResult>;
}

const asNode = (node: NodeType): Operation => ({ properties: node.description.properties, run: (context) => node.run(context) });

/** Each operation became a node of its own later. */
const operations: { readonly [name: string]: Operation } = {
  splitOutItems: asNode(splitOut),
  concatenateItems: asNode(aggregate),
  aggregateItems: asNode(aggregate),
  removeDuplicates: { properties: duplicateProperties, run: (context) => emit(withoutDuplicates(context)) },
  sort: asNode(sort),
  limit: asNode(limit),
  summarize: { properties: summarizeProperties, run: (context) => emit(summarized(context, true)) },
};

export const itemLists: NodeType = {
  description: describeNode({
    name: 'itemLists',
    displayName: 'Item Lists',
    versions: [1, 2, 2.1, 2.2, 3, 3.1],
    properties: [
      choice('resource', 'itemList', ['itemList']),
      choice('operation', 'splitOutItems', Object.keys(operations)),
      ...Object.entries(operations).flatMap(([name, operation]) => operation.properties.map((property) => shownFor(name, property))),
      settings([{ name: 'disableDotNotation', type: 'boolean', default: false }], {
        displayOptions: { show: { operation: ['removeDuplicates', 'limit'] } },
      }),
    ],
  }),
  run: (context) => {
    const name = context.parameter<string>('operation', 0, 'splitOutItems');
    if (Object.hasOwn(operations, name)) return operations[name]!.run(context);
    throw new NodeError(`Unknown operation "${name}" of Item Lists. Use one of ${Object.keys(operations).join(', ')}.`, { retryable: false });
  },
};

/** A property of an operation, shown only while that operation is chosen. A declaration, since the description above needs it. */
function shownFor(operation: string, property: PropertyDescription): PropertyDescription {
  return {
    ...property,
    displayOptions: { ...property.displayOptions, show: { ...property.displayOptions?.show, operation: [operation] } },
  };
}
