import type { JsonObject, NodeDescription } from '@app/engine';

type Count = number | ((version: number, parameters: JsonObject) => number);

type Given = Omit<NodeDescription, 'type' | 'inputs' | 'outputs' | 'trigger' | 'properties' | 'versions'> &
  Partial<Pick<NodeDescription, 'trigger' | 'properties' | 'versions'>> & {
    /** Without the `n8n-nodes-base.` prefix. */
    readonly name: string;
    readonly inputs?: Count;
    readonly outputs?: Count;
  };

export const typePrefix = 'n8n-nodes-base.';

/** A description with the usual case left out: version 1, one input, one output, no trigger, no parameters. */
export function describeNode({ name, inputs = 1, outputs = 1, ...given }: Given): NodeDescription {
  return {
    trigger: null,
    versions: [1],
    properties: [],
    ...given,
    type: `${typePrefix}${name}`,
    inputs: typeof inputs === 'number' ? () => inputs : inputs,
    outputs: typeof outputs === 'number' ? () => outputs : outputs,
  };
}
