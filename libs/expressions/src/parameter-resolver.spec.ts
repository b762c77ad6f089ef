import type { Json, JsonObject } from '@app/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executionDataOf } from '../testing/execution-data-of.ts';
import { guestSource } from '../testing/guest-source.ts';
import { ParameterResolver } from './parameter-resolver.ts';
import { Sandbox } from './sandbox/sandbox.ts';

describe('ParameterResolver', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = new Sandbox({ memoryMb: 64, timeoutMs: 2_000, poolSize: 1, guestSource: await guestSource() });
  });
  afterAll(() => sandbox.dispose());

  const items: JsonObject[] = [
    { a: 1, l: [2, 1], t: 'x1y' },
    { a: 2, l: [5], t: 'z' },
  ];
  async function resolverOf(parameters: JsonObject): Promise<ParameterResolver> {
    const resolver = new ParameterResolver({ data: executionDataOf({ items, parameters }), parameters, sandbox });
    await resolver.prepare(items.length);
    return resolver;
  }

  it('resolves values of objects and lists recursively, for the given item, and never keys', async () => {
    const resolver = await resolverOf({ deep: { '={{ 1 }}': ['={{ $json.a }}', { text: '=a is {{ $json.a }}' }, 5, null, 'plain'] } });
    expect(resolver.get('deep', 0)).toEqual({ '={{ 1 }}': [1, { text: 'a is 1' }, 5, null, 'plain'] });
    expect(resolver.get('deep', 1)).toEqual({ '={{ 1 }}': [2, { text: 'a is 2' }, 5, null, 'plain'] });
  });

  it('reads paths with dots and indices, and gives undefined where they lead nowhere', async () => {
    const resolver = await resolverOf({ a: { list: [{ v: '={{ $json.a }}' }] }, 'x.y': 'literal key' });
    expect(resolver.get('a.list[0].v', 1)).toBe(2);
    expect(resolver.get('a.list.0.v', 1)).toBe(2);
    expect(resolver.get('x.y', 0)).toBe('literal key');
    expect(resolver.get('a.list[3].v', 0)).toBeUndefined();
    expect(resolver.get('a.nope.v', 0)).toBeUndefined();
    expect(resolver.get('constructor', 0)).toBeUndefined();
    expect(resolver.raw('a.list[0].v')).toBe('={{ $json.a }}');
  });

  it('hands literals out as they are, without the sandbox', async () => {
    const literal = { options: { deep: ['a', 1] } };
    const resolver = new ParameterResolver({ data: executionDataOf({}), parameters: literal, sandbox: undefined as unknown as Sandbox });
    await resolver.prepare(1_000);
    expect(resolver.get('options', 0)).toBe(literal.options);
  });

  it('hands out values that nobody else holds', async () => {
    const resolver = await resolverOf({ v: '={{ $json.l }}' });
    (resolver.get('v', 0) as Json[] & unknown[]).push(99);
    expect(resolver.get('v', 0)).toEqual([2, 1]);
    expect(items[0]!['l']).toEqual([2, 1]);
  });

  it('evaluates ahead of time what needs the sandbox, for every item', async () => {
    const resolver = await resolverOf({ sorted: '={{ $json.l.sort() }}', risky: '={{ $json.t.replace(/(\\w)+\\d(\\w)+/, "m") }}' });
    expect([0, 1].map((index) => resolver.get('sorted', index))).toEqual([[1, 2], [5]]);
    expect([0, 1].map((index) => resolver.get('risky', index))).toEqual(['m', 'z']);
  });

  it('throws the error of an expression when its parameter is read, and only then', async () => {
    const resolver = await resolverOf({
      bad: "={{ $('Nowhere').first() }}",
      sandboxed: "={{ [$json.l.sort(), $('Nowhere').first()] }}",
      syntax: '={{ 1 + }}',
      good: '={{ $json.a }}',
    });
    expect(resolver.get('good', 0)).toBe(1);
    for (const path of ['bad', 'sandboxed'])
      expect(() => resolver.get(path, 0)).toThrowError(expect.objectContaining({ code: 'expression_unknown_node' }));
    expect(() => resolver.get('syntax', 0)).toThrowError(expect.objectContaining({ code: 'expression_syntax' }));
  });

  it('refuses, with an error, an expression for the sandbox that was not prepared', async () => {
    const resolver = await resolverOf({});
    expect(() => resolver.resolve('={{ $json.l.sort() }}', 0)).toThrowError(expect.objectContaining({ code: 'expression_too_large' }));
  });

  it('evaluates other texts with more variables in reach', async () => {
    const resolver = await resolverOf({});
    expect(await resolver.evaluate('={{ $response.body.next + $json.a }}', 1, { $response: { body: { next: 10 } } })).toBe(12);
    expect(await resolver.evaluate('={{ $response.list.sort() }}', 0, { $response: { list: [2, 1] } })).toEqual([1, 2]);
    expect(await resolver.evaluate('plain', 0)).toBe('plain');
    await expect(resolver.evaluate("={{ $('Nowhere').item }}", 0)).rejects.toMatchObject({ code: 'expression_unknown_node' });
  });

  it('handles large data without the sandbox where the work grows with the data only', async () => {
    const big = { html: `<p>${'x'.repeat(4_000_000)}</p>`, rows: Array.from({ length: 200_000 }, (_, id) => ({ id })) };
    const parameters = {
      text: '=<div>{{ $json.html + $json.html }}</div>',
      plain: '={{ $json.html.removeTags() }}',
      rows: '={{ $json.rows }}',
      first: '={{ $json.rows.first().id }}',
    };
    const resolver = new ParameterResolver({
      data: executionDataOf({ items: [big], parameters }),
      parameters,
      sandbox: undefined as unknown as Sandbox,
    });
    await resolver.prepare(1);
    expect((resolver.get('text', 0) as string).length).toBe(big.html.length * 2 + 11);
    expect((resolver.get('plain', 0) as string).length).toBe(4_000_000);
    expect((resolver.get('rows', 0) as Json[]).length).toBe(200_000);
    expect(resolver.get('first', 0)).toBe(0);
  });

  it('resolves $parameter through its own expressions', async () => {
    const resolver = await resolverOf({ limit: '={{ $json.a * 10 }}', text: '=up to {{ $parameter.limit }} / {{ $parameter["&limit"] }}' });
    expect(resolver.get('text', 1)).toBe('up to 20 / 20');
  });

  it('reads the parameters of a node without input items for item 0', async () => {
    const parameters = { v: '={{ [1, 2].map(x => x + 1) }}', gone: '={{ $json.a }}' };
    const resolver = new ParameterResolver({ data: executionDataOf({ inputs: [[]], parameters }), parameters, sandbox });
    await resolver.prepare(0);
    expect(resolver.get('v', 0)).toEqual([2, 3]);
    expect(resolver.get('gone', 0)).toBeUndefined();
  });
});
