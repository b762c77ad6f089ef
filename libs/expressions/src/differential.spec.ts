import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluateFast, evaluateInSandbox } from '../testing/both-ways.ts';
import type { Ending } from '../testing/both-ways.ts';
import { executionDataOf, item, runOf, sourceOf } from '../testing/execution-data-of.ts';
import { guestSource } from '../testing/guest-source.ts';
import { LANGUAGE } from '../testing/language-expressions.ts';
import { COMPARED_ITEM, PLAIN } from '../testing/plain-expressions.ts';
import { Sandbox } from './sandbox/sandbox.ts';

const data = executionDataOf({
  current: 'Here',
  edges: ['Far -> Near', 'Near -> Here', 'Far -> Side'],
  parameters: { p: '={{ $json.n + 1 }}' },
  timezone: 'Europe/Berlin',
  nodes: {
    Far: { parameters: { p: '={{ 1 }}' }, context: { c: true }, runs: [runOf(null, [item({ k: 'a' }), item({ k: 'b' })])] },
    Near: { runs: [runOf('Far', [item(COMPARED_ITEM, 1)])] },
    Side: { runs: [runOf('Far', [item({ k: 's' }, 0)])] },
    Late: {},
  },
  inputs: [[item(COMPARED_ITEM, 0)]],
  inputSources: [sourceOf('Near')],
});

const whole = (code: string): string => `={{ ${code} }}`;
const mixed = (code: string): string => `=<{{ ${code} }}>`;
const template = (code: string): string => (code.includes('}}') ? whole(code.replaceAll('}}', '} }')) : whole(code));

describe('an expression comes to the same in the worker and in the sandbox', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = new Sandbox({ memoryMb: 64, timeoutMs: 5_000, poolSize: 1, guestSource: await guestSource() });
  });
  afterAll(() => sandbox.dispose());

  it.each([
    ['JavaScript, whole values', PLAIN.map(template)],
    ['JavaScript, within text', PLAIN.filter((code) => !code.includes('}}')).map(mixed)],
    ['the language, whole values', LANGUAGE.map(template)],
    ['the language, within text', LANGUAGE.filter((code) => !code.includes('}}')).map(mixed)],
  ])('%s', async (_name, texts) => {
    const isolated = await evaluateInSandbox(sandbox, texts, data);
    let compared = 0;
    texts.forEach((text, index) => {
      const fast = evaluateFast(text, data);
      if (fast === undefined) return;
      compared++;
      expect(fast, text).toEqual(isolated[index]);
    });
    // The worker's own thread is for nearly everything; if it gave up more often, this comparison would be empty.
    expect(compared / texts.length).toBeGreaterThan(0.9);
  });

  it('gives what JavaScript gives where the language adds nothing', async () => {
    const texts = PLAIN.map(template);
    const isolated = await evaluateInSandbox(sandbox, texts, data);
    PLAIN.forEach((code, index) => expect(isolated[index], code).toEqual(native(code)));
  });

  it('changes no data for the next expression', async () => {
    const texts = ['={{ $json.l.push(4) }}', '={{ delete $json.o.a }}', '={{ $json.l.length + $json.o.a }}'];
    expect(await evaluateInSandbox(sandbox, texts, data)).toEqual([{ value: 4 }, { value: true }, { value: 4 }]);
    expect(evaluateFast(texts[0]!, data)).toBeUndefined();
  });
});

/** What the JavaScript engine itself makes of it, with errors swallowed as in expressions. */
function native(code: string): Ending {
  try {
    const value: unknown = new Function(
      '$json',
      `with (new Proxy({}, { has: (_, name) => !(name in globalThis) && name !== '$json', get: () => undefined })) return (${code});`,
    )(structuredClone(COMPARED_ITEM));
    return { value: plain(value) as never };
  } catch {
    return { value: undefined };
  }
}

function plain(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  return value;
}
