import type { JsonObject } from '@app/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executionDataOf, item, runOf, sourceOf } from '../../testing/execution-data-of.ts';
import { guestSource } from '../../testing/guest-source.ts';
import type { CodeMode, CodeOutcome } from './border.ts';
import { Sandbox } from './sandbox.ts';

const data = executionDataOf({
  edges: ['In -> Current'],
  nodes: { In: { runs: [runOf(null, [item({ a: 1 }), item({ a: 2 })])] } },
  inputs: [[item({ a: 1 }, { item: 0 }), item({ a: 2 }, { item: 1 })]],
  inputSources: [sourceOf('In')],
  parameters: { limit: '={{ $json.a + 1 }}' },
  staticData: { global: { n: 1 }, node: {} },
  timezone: 'Asia/Tokyo',
});

describe('code of authors', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = new Sandbox({ memoryMb: 32, timeoutMs: 1_000, codeTimeoutMs: 600, poolSize: 1, guestSource: await guestSource() });
  });
  afterAll(() => sandbox.dispose());

  const run = (code: string, mode: CodeMode = 'all'): Promise<CodeOutcome> => sandbox.runCode({ code, mode }, data);
  const valueOf = async (code: string, mode: CodeMode = 'all'): Promise<unknown> => (await run(code, mode)).results[0]?.value;
  const errorOf = async (code: string, mode: CodeMode = 'all'): Promise<unknown> => (await run(code, mode)).results[0]?.error;

  it('refuses results that are nested too deep to be written down, and lives', async () => {
    const nested = (levels: number) => `let top = {}; for (let level = 0; level < ${levels}; level++) top = { a: top }; return [{ json: top }];`;
    expect(await errorOf(nested(900))).toBeUndefined();
    for (const levels of [1_100, 20_000, 200_000]) expect(await errorOf(nested(levels))).toMatchObject({ message: expect.stringContaining('1000 levels deep') as string });
    expect(await valueOf('return 1;')).toBe(1);
  });

  it.each([
    ['return items.length;', 2],
    ['return $input.all().map(i => i.json.a);', [1, 2]],
    [
      'for (const item of items) item.json.seen = true; return items;',
      [
        { json: { a: 1, seen: true }, pairedItem: { item: 0 } },
        { json: { a: 2, seen: true }, pairedItem: { item: 1 } },
      ],
    ],
    ['return $json.a + $input.item.json.a;', 2],
    ["return $('In').all().length + $('In').first().json.a + $node['In'].json.a + $items('In').length;", 6],
    ["return items.map((_, x) => $('In').itemMatching(x).json.a);", [1, 2]],
    ['const v = await Promise.resolve(41); return v + 1;', 42],
    ['return Promise.resolve({ ok: true });', { ok: true }],
    ['return [{ d: new Date(0), u: undefined, n: null, nan: NaN, f: () => 1 }];', [{ d: '1970-01-01T00:00:00.000Z', n: null, nan: null }]],
    ['return $now;', '2024-03-15T19:20:30.000+09:00'],
    ['return DateTime.fromISO("2024-01-31T00:00").plus({ months: 1 }).toISO();', '2024-02-29T00:00:00.000+09:00'],
    ['return [typeof [].first, typeof "".toTitleCase];', ['undefined', 'undefined']],
    ['return [typeof process, typeof fetch, typeof module, typeof global];', ['undefined', 'undefined', 'undefined', 'undefined']],
    [
      'return [Buffer.from("hi").toString("hex"), Buffer.from("aGk=", "base64").toString(), Buffer.from("ü").length, Buffer.concat([Buffer.from("a"), Buffer.from("b")]).toString("base64")];',
      ['6869', 'hi', 2, 'YWI='],
    ],
    ['return [btoa("hi"), atob("aGk="), new TextDecoder().decode(new TextEncoder().encode("ü"))];', ['aGk=', 'hi', 'ü']],
    ['return [$runIndex, $prevNode.name, $execution.mode, $workflow.name, $itemIndex];', [0, 'In', 'production', 'Recorded', 0]],
    [
      'return [$getNodeParameter("limit"), $jmespath([{ a: 1 }], "[0].a"), $ifEmpty("", 1), luxon.Duration.fromMillis(1).toMillis()];',
      [2, 1, 1, 1],
    ],
    ['const items = 5; const $json = 6; const min = 7; return [items, $json, min];', [5, 6, 7]],
    ['const s = []; await new Promise(r => setTimeout(() => { s.push("later"); r(); }, 5)); return s;', ['later']],
    ['const t = setTimeout(() => {}, 1e9); clearTimeout(t); return "over";', 'over'],
    ['return null;', null],
    ['const x = 1;', undefined],
    ['', undefined],
    ['return 1 // comment', 1],
  ])('%s', async (code, expected) => {
    const outcome = await run(code);
    expect(outcome.results).toEqual([expected === undefined ? {} : { value: expected }]);
  });

  it('runs once for each item, where the whole list is out of reach', async () => {
    expect(
      (await run('item.json.b = $input.item.json.a * 10 + $itemIndex; return item;', 'each')).results.map(
        ({ value }) => (value as { json: JsonObject }).json,
      ),
    ).toEqual([
      { a: 1, b: 10 },
      { a: 2, b: 21 },
    ]);
    expect((await run('return { from: $("In").item.json.a };', 'each')).results.map(({ value }) => value)).toEqual([
      { from: 1 },
      { from: 2 },
    ]);
    expect(await errorOf('return $input.all();', 'each')).toMatchObject({ message: "Can't use .all() here", line: 1 });
  });

  it('runs the code of the legacy nodes', async () => {
    expect((await run('item.b = item.a * 3; return item;', 'legacyItem')).results.map(({ value }) => value)).toEqual([
      { a: 1, b: 3 },
      { a: 2, b: 6 },
    ]);
    expect(await valueOf('getWorkflowStaticData("global").n += items.length; return items.length;', 'legacy')).toBe(2);
  });

  it.each([
    ['const o = {};\n\nreturn o.x.y;', { message: "Cannot read properties of undefined (reading 'y')", name: 'TypeError', line: 3 }],
    ['return nope;', { message: 'nope is not defined', name: 'ReferenceError', line: 1 }],
    ['throw new Error("mine");', { message: 'mine', line: 1 }],
    ['const f = () => {\n  throw new RangeError("deep");\n};\nawait f();', { message: 'deep', name: 'RangeError', line: 2 }],
    ['throw "just text";', { message: '"just text"' }],
    ['throw { message: "odd", code: 5 };', { message: 'odd' }],
    ['return [ { json: } ];', { message: "Unexpected token '}'", name: 'SyntaxError' }],
    ['return 10n;', { name: 'TypeError' }],
    ['const o = {}; o.o = o; return o;', { name: 'TypeError' }],
    ['await Promise.reject(new Error("late"));', { message: 'late', line: 1 }],
    ['require("fs");', { message: 'Module "fs" is not available to code', line: 1 }],
    ['return $("Nowhere").first();', { message: 'There is no node "Nowhere" in this workflow', line: 1 }],
  ])('tells what went wrong and in which line: %j', async (code, expected) => {
    expect(await errorOf(code)).toMatchObject(expected);
  });

  it('keeps the results of the other items when one fails', async () => {
    const { results } = await run('if ($json.a === 2) throw new Error("second"); return { ok: true };', 'each');
    expect(results).toEqual([{ value: { ok: true } }, { error: { message: 'second', name: 'Error', line: 1 } }]);
  });

  it('returns what is written to the console, within limits', async () => {
    expect((await run('console.log("a", 1, { b: [2] }); console.error(new Error("e")); return 1;')).logs).toEqual([
      'a 1 {"b":[2]}',
      'Error: e',
    ]);
    const { logs } = await run('for (let i = 0; i < 5000; i++) console.log("x".repeat(9000)); return 1;');
    expect(logs.length).toBe(501);
    expect(logs[0]!.length).toBeLessThan(4_100);
  });

  it('returns static data that was changed, and loses it when the code throws', async () => {
    expect((await run('$getWorkflowStaticData("global").n++; getWorkflowStaticData("node").seen = true; return 1;')).staticData).toEqual({
      global: { n: 2 },
      node: { seen: true },
    });
    expect((await run('return $getWorkflowStaticData("global").n;')).staticData).toBeUndefined();
    expect((await run('$getWorkflowStaticData("global").n++; throw new Error("x");')).staticData).toBeUndefined();
    expect(data.staticData.global).toEqual({ n: 1 });
  });

  it('returns custom data that was set', async () => {
    const outcome = await run('$execution.customData.set("order", 7); return $execution.customData.get("order");');
    expect(outcome).toMatchObject({ results: [{ value: '7' }], customData: { order: '7' } });
    expect(await errorOf('$execution.customData.set("no spaces", 1);')).toMatchObject({ line: 1 });
  });

  it.each([
    'while (true) {}',
    'for (;;) await 0;',
    'await new Promise(() => {});',
    'setTimeout(() => { while (true) {} }, 5); await new Promise(r => setTimeout(r, 50));',
    'setInterval(() => {}, 1); await new Promise(() => {});',
    'const f = () => { throw f(); }; const g = async () => { for (;;) await g; }; await g();',
    'return /^(a+)+$/.test("a".repeat(40) + "!");',
  ])('is stopped when its time is over: %s', async (code) => {
    expect(await errorOf(code)).toMatchObject({ name: 'expression_timeout' });
    expect(await valueOf('return "alive";')).toBe('alive');
  });

  it('is stopped when its memory is used up, for every item of the activation', async () => {
    const { results } = await run('const a = []; for (;;) a.push(new Array(1e5).fill(a.length));', 'each');
    expect(results).toHaveLength(2);
    for (const { error } of results) expect(error?.name).toMatch(/expression_(out_of_memory|timeout)/);
    expect(await valueOf('return "alive";')).toBe('alive');
  });

  it.each([
    'const s = new Set(); for (let i = 0; ; i++) s.add(i);',
    'const m = new Map(); for (let i = 0; ; i++) m.set(i, i);',
    'return new Set(Array.from({ length: 1e6 }, (_, i) => i)).size;',
  ])('cannot let a collection grow until the process breaks: %s', async (code) => {
    expect(await errorOf(code)).toMatchObject({ name: expect.stringMatching(/RangeError|expression_/) as string });
    expect(await valueOf('return "alive";')).toBe('alive');
  });

  it('is stopped when the activation is aborted', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    const { results } = await sandbox.runCode({ code: 'await new Promise(() => {});', mode: 'all', signal: controller.signal }, data);
    expect(results[0]?.error?.message).toContain('stopped because');
    expect(await valueOf('return "alive";')).toBe('alive');
  });

  it('leaves nothing behind for the next activation', async () => {
    await run(
      'globalThis.leak = 1; Array.prototype.map = null; Object.prototype.polluted = 1; JSON.parse = () => "mine"; setTimeout(() => { globalThis.late = 1; }, 10); return 1;',
    );
    expect(await valueOf('return [typeof leak, typeof late, typeof ({}).polluted, [1].map(x => x + 1), JSON.parse("2")];')).toEqual([
      'undefined',
      'undefined',
      'undefined',
      [2],
      2,
    ]);
  });

  it.each([
    'return this.constructor.constructor("return process")();',
    'return Object.getOwnPropertyNames(globalThis).filter(name => /^(ivm|ask|process|require)$/.test(name) && typeof globalThis[name] === "object");',
    'return Function.prototype.constructor("return typeof process")();',
    'return (await import("fs")).readFileSync;',
    'const e = new Error(); return e.stack.includes("/");',
  ])('reaches nothing of the process: %s', async (code) => {
    const { value } = (await run(code)).results[0]!;
    expect([undefined, false, 'undefined', '[]']).toContain(Array.isArray(value) ? JSON.stringify(value) : value);
  });

  it('lets activations wait for a free isolate', async () => {
    const values = await Promise.all(
      Array.from({ length: 5 }, (_, index) => valueOf(`await new Promise(r => setTimeout(r, 10)); return ${index};`)),
    );
    expect(values).toEqual([0, 1, 2, 3, 4]);
  });

  describe('beside others', () => {
    const asleep = 'await new Promise((wake) => setTimeout(wake, 300)); return "slept";';
    const order = async (...work: readonly (() => Promise<string>)[]): Promise<string[]> => {
      const done: string[] = [];
      await Promise.all(work.map(async (each) => void done.push(await each())));
      return done;
    };
    const code = (text: string) => async () => (await valueOf(text)) as string;

    it('keeps no expression from being evaluated, asleep or busy', async () => {
      const expression = async () => {
        expect(await sandbox.evaluateMany([{ text: '={{ 1 + 1 }}', itemIndex: 0 }], data)).toEqual([{ value: 2 }]);
        return 'evaluated';
      };
      expect(await order(code(asleep), code(asleep), expression)).toEqual(['evaluated', 'slept', 'slept']);
      expect(await order(code('const until = Date.now() + 300; while (Date.now() < until); return "computed";'), expression)).toEqual(['evaluated', 'computed']);
    });

    it('lets other code in while it sleeps', async () => {
      expect(await order(code(asleep), code('return "quick";'))).toEqual(['quick', 'slept']);
    });

    it('gives up its turn when it is called off', async () => {
      const off = new AbortController();
      const busy = run('for (;;);');
      const queued = sandbox.runCode({ code: 'return 1;', mode: 'all', signal: off.signal }, data);
      off.abort();
      expect((await queued).results[0]!.error).toMatchObject({ name: 'expression_timeout', message: expect.stringContaining('is ending') as string });
      expect((await busy).results[0]!.error).toMatchObject({ message: expect.stringContaining('longer than 600 ms') as string });
      expect(await valueOf('return 2;')).toBe(2);
    });
  });

  it.each([
    ['a timer that computes without end', 'setTimeout(() => { for (;;); }, 20); return "left";'],
    ['an interval', 'setInterval(() => { for (;;); }, 20); return "left";'],
    ['timers that make timers', 'const again = () => { setTimeout(again, 1); setTimeout(again, 1); }; again(); return "left";'],
    ['an endless promise', 'const again = () => Promise.resolve().then(() => setTimeout(again, 1)); again(); return "left";'],
  ])('leaves nothing behind for the next one: %s', async (_, text) => {
    expect(await valueOf(text)).toBe('left');
    await new Promise((after) => setTimeout(after, 60));
    expect(await valueOf('return "next";')).toBe('next');
    expect(await sandbox.evaluateMany([{ text: '={{ 1 + 1 }}', itemIndex: 0 }], data)).toEqual([{ value: 2 }]);
  });

  it('is written down by functions that it cannot replace', async () => {
    expect(await valueOf('JSON.stringify = () => { throw new Error("mine"); }; JSON.parse = () => 7; return { a: 1 };')).toEqual({ a: 1 });
    expect(await errorOf('return { toJSON() { throw new Error("not this one"); } };')).toMatchObject({ message: 'not this one' });
    expect(await errorOf('Object.prototype.toJSON = () => 5; return 1;')).toMatchObject({ message: expect.stringContaining('replaced functions') as string });
    expect(await valueOf('return JSON.stringify({ a: 1 });')).toBe('{"a":1}');
  });
});
