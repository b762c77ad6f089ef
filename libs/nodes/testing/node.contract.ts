import { describe, expect, it } from 'vitest';
import type { JsonObject, PropertyDescription } from '@app/engine';
import { typePrefix } from '../src/description.ts';
import type { NodeType } from '../src/node-type.ts';
import { normaliseParameters } from '../src/parameters/resolve-properties.ts';
import { nodeContext } from './node-context.ts';

/** What every node type promises to the worker and the compiler, whatever it does. */
export function describeNodeType(node: NodeType): void {
  const { description } = node;

  describe(`${description.type} ${description.versions.join(', ')}`, () => {
    it('describes itself completely', () => {
      expect(description.type.startsWith(typePrefix)).toBe(true);
      expect(description.displayName).not.toBe('');
      expect(description.versions.length).toBeGreaterThan(0);
      expect([...description.versions]).toEqual([...new Set(description.versions)].sort((a, b) => a - b));
    });

    it.each(description.versions)('counts its inputs and outputs in version %d, also for parameters of the wrong shape', (version) => {
      for (const parameters of [{}, normaliseParameters(description, { version, parameters: {} }), junkFor(description.properties)]) {
        for (const count of [description.inputs(version, parameters), description.outputs(version, parameters)]) {
          expect(Number.isInteger(count) && count >= 0 && count <= 256).toBe(true);
        }
      }
    });

    it.each(description.versions)('has one default for each parameter it shows in version %d', (version) => {
      const normalised = normaliseParameters(description, { version, parameters: {} });
      expect(normaliseParameters(description, { version, parameters: normalised })).toEqual(normalised);
    });

    it('hangs the display of its parameters on parameters that exist', () => {
      expect(unknownKeys(description.properties, new Set(description.properties.map(({ name }) => name)))).toEqual([]);
    });

    it('keeps nothing on itself, since all activations of a process share it', async () => {
      deepFreeze(node);
      const once = await outcomeOf(node);
      expect(await outcomeOf(node)).toEqual(once);
      expect(Object.keys(node).sort()).toEqual(['description', 'run']);
    });

    it.skipIf(description.annotation === true)('stops when its activation was canceled', async () => {
      const reason = new Error('canceled by the test');
      const context = nodeContext(node, { signal: AbortSignal.abort(reason), inputs: [[{ a: 1 }], [{ a: 1 }]] });
      await expect(Promise.resolve().then(() => node.run(context))).rejects.toBe(reason);
    });
  });
}

/** Every parameter set to something its type does not allow. */
const junkFor = (properties: readonly PropertyDescription[]): JsonObject =>
  Object.fromEntries(properties.map(({ name, type }) => [name, type === 'string' ? { odd: true } : type === 'number' ? '={{ 1e9 }}' : 'odd']));

function unknownKeys(properties: readonly PropertyDescription[], root: ReadonlySet<string>): string[] {
  const siblings = new Set(properties.map(({ name }) => name));
  return properties.flatMap((property) => {
    const keys = [...Object.keys(property.displayOptions?.show ?? {}), ...Object.keys(property.displayOptions?.hide ?? {})];
    const unknown = keys.filter((key) => key !== '@version' && !(key.startsWith('/') ? root.has(key.slice(1)) : siblings.has(key)));
    const inner = (property.options ?? []).flatMap((option) => ('values' in option ? unknownKeys(option.values, root) : []));
    const members = (property.options ?? []).filter((option): option is PropertyDescription => 'type' in option);
    return [...unknown.map((key) => `${property.name}: ${key}`), ...inner, ...unknownKeys(members, root)];
  });
}

async function outcomeOf(node: NodeType): Promise<unknown> {
  const context = nodeContext(node, { inputs: [[{ a: 1 }], [{ a: 1 }]], runCode: () => ({ results: [{ value: [] }], logs: [] }) });
  try {
    return await node.run(context);
  } catch (error) {
    // A node may refuse to run with its defaults; what it may not do is fail for a reason of its own making.
    expect(error).not.toBeInstanceOf(TypeError);
    return (error as Error).message;
  }
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  Object.values(value).forEach(deepFreeze);
}
