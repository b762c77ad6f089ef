import { describe, expect, it } from 'vitest';
import type { Json } from '@app/engine';
import { nodeContext } from '../../testing/node-context.ts';
import { firstOf, outputsOf } from '../../testing/run-node.ts';
import type { CodeResult } from '../node-context.ts';
import { functionItem } from '../function/function-item.ts';
import { functionNode } from '../function/function.ts';
import { code } from './code.ts';

const answering =
  (...values: Json[]) =>
  (): CodeResult => ({ results: values.map((value) => ({ value })), logs: [] });
const failing = (): CodeResult => ({ results: [{ error: { message: 'no rates', line: 3 } }], logs: [] });

describe('Code, once for all items', () => {
  it('asks the sandbox for one run over all items', async () => {
    let asked: unknown;
    const runCode = (request: unknown): CodeResult => {
      asked = request;
      return { results: [{ value: [] }], logs: [] };
    };
    await outputsOf(code, { parameters: { jsCode: 'return [];' }, runCode });
    expect(asked).toEqual({ code: 'return [];', mode: 'all' });
  });

  it.each([
    [null, []],
    [[], []],
    [{ total: 2 }, [{ total: 2 }]],
    [{ json: { total: 2 } }, [{ total: 2 }]],
    [[{ a: 1 }, { b: 2 }], [{ a: 1 }, { b: 2 }]],
    [[{ json: { a: 1 }, index: 0 }], [{ a: 1 }]],
    [[{ binary: {} }], [{}]],
  ])('makes items of %j', async (value, expected) => {
    expect(await firstOf(code, { runCode: answering(value) })).toEqual(expected);
  });

  it.each([
    [undefined, /doesn't return items/],
    [5, /doesn't return items/],
    [[1], /doesn't return items/],
    [[{ json: 5 }], /'json' property isn't an object \[item 0\]/],
    [[{ json: [1] }], /'json' property isn't an object/],
    [[{ json: {} }, { b: 2 }], /Unknown top-level item key: b \[item 1\]/],
  ])('refuses %j', async (value, message) => {
    await expect(firstOf(code, { runCode: answering(value) })).rejects.toThrow(message);
  });

  it('keeps pairing the code set and adds none itself', async () => {
    const [items] = await outputsOf(code, { runCode: answering([{ json: {}, pairedItem: 2 }, { json: {} }]) });
    expect(items).toEqual([{ json: {}, pairedItem: 2 }, { json: {} }]);
  });

  it('names the line of a failure, or puts out one error item when it continues', async () => {
    await expect(firstOf(code, { runCode: failing })).rejects.toThrow('no rates [line 3]');
    const [items] = await outputsOf(code, { runCode: failing, continueOnFail: true });
    expect(items).toEqual([{ json: { error: 'no rates [line 3]' } }]);
  });

  it('passes on what the code logged', async () => {
    const context = nodeContext(code, { runCode: () => ({ results: [{ value: [] }], logs: ['hello'] }) });
    await code.run(context);
    expect(context.logs).toEqual(['hello']);
  });

  it('refuses Python', async () => {
    await expect(firstOf(code, { parameters: { language: 'python' } })).rejects.toThrow(/Python is not supported/);
  });
});

describe('Code, once for each item', () => {
  const each = { parameters: { mode: 'runOnceForEachItem' }, inputs: [[{ a: 1 }, { a: 2 }, { a: 3 }]] };

  it('pairs every result with its item and drops items without result', async () => {
    const [items] = await outputsOf(code, { ...each, runCode: answering({ x: 1 }, null, { json: { x: 3 }, pairedItem: 0 }) });
    expect(items).toEqual([{ json: { x: 1 }, pairedItem: { item: 0 } }, { json: { x: 3 }, pairedItem: { item: 2 } }]);
  });

  it.each([[[{ json: {} }]], [5], ['text']])('refuses %j', async (value) => {
    await expect(firstOf(code, { ...each, runCode: answering(value as Json) })).rejects.toThrow(/isn't an object \[item 0\]/);
  });

  it('puts error items in place when it continues on failure', async () => {
    const runCode = (): CodeResult => ({ results: [{ value: { ok: 1 } }, { error: { message: 'bad', line: 1 } }], logs: [] });
    const [items] = await outputsOf(code, { ...each, runCode, continueOnFail: true });
    expect(items).toEqual([{ json: { ok: 1 }, pairedItem: { item: 0 } }, { json: { error: 'bad [line 1]' }, pairedItem: { item: 1 } }]);
  });
});

describe('Function and Function Item', () => {
  it('wraps plain objects and leaves pairing to the engine', async () => {
    const [items] = await outputsOf(functionNode, { runCode: answering([{ n: 1 }, { json: { n: 2 } }]) });
    expect(items).toEqual([{ json: { n: 1 } }, { json: { n: 2 } }]);
  });

  it.each([[undefined], [{ n: 1 }], [[5]]])('a function may not return %j', async (value) => {
    await expect(firstOf(functionNode, { runCode: answering(value as Json) })).rejects.toThrow(/return|object/);
  });

  it('makes what a function for one item returns its json', async () => {
    const [items] = await outputsOf(functionItem, { inputs: [[{ a: 1 }]], runCode: answering([1]) });
    expect(items).toEqual([{ json: [1], pairedItem: { item: 0 } }]);
    await expect(firstOf(functionItem, { runCode: answering(undefined) })).rejects.toThrow(/No data got returned/);
  });
});
