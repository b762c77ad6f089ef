import { errorItems, normalizeErrorItems, type ErrorShape, type Item, type LinkedProgram, type OpenActivation, type Outcome, type PortOutput, type ProgramNode } from '@app/engine';

/** An input leaves by the first port unchanged, without being read. null: nothing lies on that input. */
export function passThrough(activation: OpenActivation, input: number): Outcome | null {
  const token = activation.inputs[input];
  if (!token) return null;
  const output: PortOutput = token.ref ? { port: 0, count: token.ref.count, ref: { ...token.ref, restamp: input } } : { port: 0, count: 1, items: [{ json: {}, pairedItem: { item: 0 } }] };
  return { kind: 'done', outputs: [output], effects: [] };
}

/** Items pinned to a node stand in for its run; they count in test runs only. */
export function pinnedItems(program: LinkedProgram, { mode }: { readonly mode: string }, name: string): Item[] | null {
  if (mode !== 'manual' && mode !== 'evaluation') return null;
  const pinData = program.attributes['pinData'];
  if (typeof pinData !== 'object' || pinData === null) return null;
  const items = (pinData as { [name: string]: unknown })[name];
  return Array.isArray(items) ? items.map((item: unknown) => (isItem(item) ? { ...item } : { json: item as Item['json'] })) : null;
}

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && 'json' in value;

/** What goes on when the node threw and its error mode continues. */
export function fallbackOutputs(node: ProgramNode, inputs: readonly (readonly Item[] | null)[], error: ErrorShape): PortOutput[] | null {
  const { onError, errorOutput, thrownErrorOutput } = node.attributes;
  if (onError === undefined) return null;
  if (onError === 'continueErrorOutput' && typeof errorOutput === 'number' && thrownErrorOutput !== 'main') {
    const items = errorItems(inputs, error);
    return [{ port: errorOutput, count: items.length, items }];
  }
  const [items] = normalizeErrorItems([inputs[0] ?? []]);
  return [{ port: 0, count: items?.length ?? 0, items: items ?? [] }];
}
