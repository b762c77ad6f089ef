import type { Json, JsonObject } from '@app/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluateFast, evaluateInSandbox } from '../testing/both-ways.ts';
import type { Ending } from '../testing/both-ways.ts';
import { executionDataOf } from '../testing/execution-data-of.ts';
import { guestSource } from '../testing/guest-source.ts';
import observed from '../testing/observed.json' with { type: 'json' };
import { Sandbox } from './sandbox/sandbox.ts';

interface ObservedCase {
  readonly case: string;
  readonly about: string;
  readonly timezone?: string;
  readonly items: readonly { readonly json: JsonObject }[];
  readonly fields: readonly { readonly name: string; readonly type: string; readonly text: string }[];
  readonly results?: readonly JsonObject[];
  readonly fails?: boolean;
}

/* Every expectation was seen on n8n 2.40.3, through a Set node, which converts what it is given to the type of a field. */
describe('expressions give what the reference gives', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = new Sandbox({ memoryMb: 64, timeoutMs: 5_000, poolSize: 1, guestSource: await guestSource() });
  });
  afterAll(() => sandbox.dispose());

  it.each(observed as unknown as ObservedCase[])('$case: $about', async (one) => {
    const data = executionDataOf({
      current: 'Result',
      nodes: { Input: { runs: [{ outputs: [one.items], sources: [null] }] } },
      edges: ['Input -> Result'],
      inputs: [one.items],
      version: 3.4,
      workflowName: one.case.split('/')[1]!,
      ...(one.timezone ? { timezone: one.timezone } : {}),
    });
    const texts = one.fields.map(({ text }) => text);
    for (const [itemIndex] of one.items.entries()) {
      const isolated = await evaluateInSandbox(sandbox, texts, data, itemIndex);
      const direct = texts.map((text) => evaluateFast(text, data, itemIndex));
      if (one.fails) {
        expect(isolated.some((ending) => 'error' in ending)).toBe(true);
        expect(direct.some((ending) => ending && 'error' in ending)).toBe(true);
        continue;
      }
      one.fields.forEach(({ name, type }, index) => {
        const expected = one.results?.[itemIndex]?.[name];
        expect(asStored(isolated[index]!, type), `${name}, in the sandbox`).toEqual(expected);
        if (direct[index]) expect(asStored(direct[index], type), `${name}, outside of it`).toEqual(expected);
      });
    }
  });
});

function asStored(ending: Ending, type: string): Json {
  if ('error' in ending) return `failed: ${ending.message}`;
  const value = JSON.parse(JSON.stringify(ending.value ?? null)) as Json;
  if (value === null || type !== 'string' || typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
