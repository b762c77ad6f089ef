import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluateFast, evaluateInSandbox } from '../../testing/both-ways.ts';
import { executionDataOf } from '../../testing/execution-data-of.ts';
import { guestSource } from '../../testing/guest-source.ts';
import { ParameterResolver } from '../parameter-resolver.ts';
import { Sandbox } from './sandbox.ts';

const data = executionDataOf({
  items: [{ s: 'a'.repeat(3_000), o: { v: 1 }, l: [1, 2, 3], evil: '__proto__', key: 'constructor', html: '<'.repeat(50_000) }],
});

/** No expression may hold the worker's own thread longer than this, on a slow and busy machine. */
const LONGEST_MS = 2_000;

const ESCAPES = [
  '$json.constructor',
  '"".constructor.constructor("return process")()',
  '[].constructor',
  '(() => {}).constructor("return 1")()',
  '$json["constructor"]',
  '$json[$json.key]',
  '$json[["constructor"]]',
  '$json[{ toString: () => "constructor" }]',
  '({}).__proto__',
  '$json[$json.evil]',
  '({ __proto__: { polluted: 1 } }).polluted',
  '({ ["__proto__"]: 1 })',
  '(({ constructor }) => constructor)($json)',
  '(({ ["constructor"]: c }) => c)($json)',
  'Object.getPrototypeOf($json)',
  'Object.setPrototypeOf({}, {})',
  'Object.defineProperty({}, "a", { value: 1 })',
  'Object.prototype',
  'Array.prototype.map',
  'Function("return process")()',
  'eval("process")',
  'Reflect.ownKeys({})',
  'new Proxy({}, {})',
  'Promise.resolve(1).then',
  'process.exit(1)',
  'require("fs")',
  'globalThis.process.env',
  'this.process',
  'import("fs")',
  'import.meta',
  'fetch("http://localhost")',
  'setTimeout(() => {}, 0)',
  'WebAssembly.compile',
  'Error.prepareStackTrace',
  'Error.captureStackTrace({})',
  '(function () { return arguments.callee; })()',
  '(() => { try { null.x } catch (e) { return e.constructor.constructor("return process")() } })()',
  '$now.constructor',
  "$('X').constructor",
  '$input.constructor',
  'DateTime.constructor',
  'Math.constructor',
  '$node.constructor',
  '$env.PATH',
  '$vars.constructor',
  'Symbol.for("nodejs.util.inspect.custom").constructor',
  '[].map.call.call',
  '["x"].map(Function)',
  '[1].map(eval)',
  'console.log.constructor',
  '(class { static { this.x = 1 } })',
  '$items.constructor',
  '`${{ toString: () => "".constructor }}`',
  '$json.o.valueOf.constructor',
  '[..."ab"].entries().constructor',
  'String.raw.constructor',
  '$evaluateExpression("{{ this.constructor }" + "}")',
  '$parameter.constructor',
];

const EXHAUSTERS = [
  '(() => { while (true) {} })()',
  '(() => { for (;;) {} })()',
  '(f => f(f))(f => f(f))',
  '(function f() { return f() + f(); })()',
  '[1, 2, 3].map(function f(x) { while (1) x++; })',
  'Array.from({ length: 1e9 })',
  'new Array(4e9)',
  'Array(1e8).fill(0)',
  '"x".repeat(1e9)',
  '"x".padEnd(1e9)',
  '$json.s.repeat(1e6).length',
  '$json.s.replaceAll("a", $json.s).replaceAll("a", $json.s).length',
  '[...Array(1e8).keys()].length',
  'numberList(0, 1e9).length',
  '(() => { let s = "x"; for (;;) s += s; })()',
  '(() => { const a = []; for (;;) a.push(a.slice()); })()',
  'JSON.stringify(Array(40).fill(0).reduce(a => [a, a], [1])).length',
  'String(Array(40).fill(0).reduce(a => [a, a], [1])).length',
  '`${Array(40).fill(0).reduce(a => [a, a], [1])}`.length',
  '[Array(40).fill(0).reduce(a => [a, a], [1])].flat(Infinity).length',
  'Array(40).fill(0).reduce(a => [a, a], [1]) + ""',
  'Array(40).fill(0).reduce(a => [a, a], [1])',
  'Array(40).fill(0).reduce(a => [a, a], [1]) == 1',
  '$json[Array(40).fill(0).reduce(a => [a, a], [1])]',
  '-Array(40).fill(0).reduce(a => [a, a], [1])',
  'Array(40).fill(0).reduce(a => ({ a, b: a }), {}).toJsonString()',
  '[Array(40).fill(0).reduce(a => ({ a, b: a }), {})].unique()',
  'Math.max(Array(40).fill(0).reduce(a => [a, a], [1]))',
  '$jmespath(Array(40).fill(0).reduce(a => [a, a], [1]), "[][][][][][]").length',
  '$jmespath([1, 2], Array(40).fill("[@, @][]").join(" | ")).length',
  '$jmespath([1, 2], "[@, @, @, @, @, @, @][] | [@, @, @, @, @, @, @][] | [@, @, @, @, @, @, @][] | [@, @, @, @, @, @, @][] | [@, @, @, @, @, @, @][] | [@, @, @, @, @, @, @][] | [@, @, @, @, @, @, @][] | [@, @, @, @, @, @, @][]").length',
  '/^(a+)+$/.test($json.s + "!")',
  '$json.s.match(/(a|aa)+$/) && ($json.s + "b").match(/^(a|aa)+$/)',
  '($json.s + "!").search("^(a+)+$")',
  '($json.s + "!").match("(a*)*b")',
  'new RegExp("^(a|a)*$").test($json.s + "!")',
  '($json.s.repeat(3) + "!").replace(/a+a+a+a+b/, "")',
  '($json.s.repeat(10) + "!").split(/a*a*a*b/)',
  'Interval.after(DateTime.fromMillis(0), { years: 1e4 }).splitBy({ seconds: 1 }).length',
  '2n ** 1000000000n',
  '(() => { const o = {}; o.o = o; return o; })()',
  '(() => { const o = {}; o.o = o; return JSON.stringify(o); })()',
  '(() => { const a = []; a[4294967294] = 1; return a.map(x => x).join(); })()',
];

describe('hostile expressions', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = new Sandbox({ memoryMb: 32, timeoutMs: 250, poolSize: 1, guestSource: await guestSource() });
  });
  afterAll(() => sandbox.dispose());

  it.each(ESCAPES)('reaches nothing but data: %s', async (code) => {
    const text = `={{ ${code.replaceAll('}}', '} }')} }}`;
    const [isolated] = await evaluateInSandbox(sandbox, [text], data);
    for (const ending of [evaluateFast(text, data), isolated]) {
      if (!ending || 'error' in ending) continue;
      // An empty object stands for everything of the outside world.
      expect(
        ending.value === undefined || ending.value === null || JSON.stringify(ending.value) === '{}' || typeof ending.value === 'number',
        JSON.stringify(ending.value),
      ).toBe(true);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each(EXHAUSTERS)('ends soon, with a value or a clear error: %s', async (code) => {
    const text = `={{ ${code.replaceAll('}}', '} }')} }}`;
    const start = performance.now();
    const direct = evaluateFast(text, data);
    expect(performance.now() - start).toBeLessThan(LONGEST_MS);
    const [isolated] = await evaluateInSandbox(sandbox, [text], data);
    for (const ending of [direct, isolated]) {
      if (ending && 'error' in ending) expect(ending.error).toMatch(/^expression_(timeout|out_of_memory|too_large|sandbox_failed)$/);
    }
    expect(await evaluateInSandbox(sandbox, ['={{ 1 + 1 }}'], data)).toEqual([{ value: 2 }]);
  });

  it('costs the other parameters of the node nothing but time', async () => {
    const parameters = { bad: '={{ (() => { while (true) {} })() }}', good: '={{ [3, 1].concat($json.l).sort() }}' };
    const resolver = new ParameterResolver({ data, parameters, sandbox });
    await resolver.prepare(1);
    expect(resolver.get('good', 0)).toEqual([1, 1, 2, 3, 3]);
    expect(() => resolver.get('bad', 0)).toThrowError(expect.objectContaining({ code: 'expression_timeout' }));
  });

  it('is told when memory ran out, and the others of its batch are evaluated all the same', async () => {
    const small = new Sandbox({ memoryMb: 16, timeoutMs: 5_000, poolSize: 1, guestSource: await guestSource() });
    const greedy = '={{ (() => { const a = []; for (;;) a.push(new Array(1e5).fill(1)); })() }}';
    const endings = await evaluateInSandbox(small, ['={{ 1 }}', greedy, '={{ [2].sort() }}'], data);
    expect(endings).toEqual([{ value: 1 }, expect.objectContaining({ error: 'expression_out_of_memory' }), { value: [2] }]);
    small.dispose();
  });

  it('gives up a batch after a few that exhaust their limits', async () => {
    const start = performance.now();
    const endings = await evaluateInSandbox(
      sandbox,
      Array.from({ length: 50 }, (_, index) => `={{ (() => { while (${index} > -1) {} })() }}`),
      data,
    );
    expect(endings.every((ending) => 'error' in ending && ending.error === 'expression_timeout')).toBe(true);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it.each([
    '$json.html.removeTags()',
    '$json.html.removeMarkdown()',
    '$json.html.extractEmail()',
    '($json.s + "@" + $json.s).isEmail()',
    '($json.s + ".").repeat(50).isDomain()',
    '"[".repeat(20000).removeMarkdown()',
    '"](".repeat(20000).removeMarkdown()',
    '("http://" + $json.s).repeat(20).extractUrl()',
  ])('stays linear in the text: %s', (code) => {
    const start = performance.now();
    evaluateFast(`={{ ${code} }}`, data);
    expect(performance.now() - start).toBeLessThan(LONGEST_MS);
  });
});
