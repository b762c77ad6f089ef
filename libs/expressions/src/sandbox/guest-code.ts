import type { JsonObject } from '@app/engine';
import { Settings } from 'luxon';
import { ExpressionError } from '../errors.ts';
import { Evaluation } from '../language/evaluation.ts';
import type { CodeError, CodeMode, CodeOutcome } from './border.ts';
import { defineCodeGlobals } from './guest-globals.ts';
import { openedView } from './guest-activation.ts';
import { Log } from './guest-log.ts';

/** The name under which stack traces show the author's code; it begins on the second line of what is evaluated. */
const FILE = 'argosy-code.js';

// Taken before any author's code can replace them.
const { parse, stringify } = JSON;

type Body = (this: unknown) => Promise<unknown>;

/** Runs an author's code; the outcome comes back as JSON text, so that nothing but data can leave. */
export async function runCode(code: string, mode: CodeMode, sleep: (ms: number) => Promise<void>): Promise<string> {
  const view = openedView();
  Settings.defaultZone = view.zone;
  const log = new Log();
  const staticBefore = stringify(view.data.staticData);
  const customData: Record<string, string> = {};
  const perItem = mode === 'each' || mode === 'legacyItem';
  const globals = defineCodeGlobals({ view, mode, sleep, log, customData });
  const results: { value?: unknown; error?: CodeError }[] = [];

  const body = compileCode(code);
  if ('error' in body) {
    for (let index = 0; index < (perItem ? view.items.length : 1); index++) results.push(body);
  } else {
    for (let index = 0; index < (perItem ? view.items.length : 1); index++) {
      globals.select(new Evaluation(view, index, undefined, false));
      results.push(await runOnce(body.run));
    }
  }

  const staticAfter = stringify(view.data.staticData);
  const isKept = staticAfter !== staticBefore && results.every((result) => !result.error);
  const outcome = {
    results,
    logs: log.lines,
    ...(isKept ? { staticData: parse(staticAfter) as { global: JsonObject; node: JsonObject } } : {}),
    ...(Object.keys(customData).length > 0 ? { customData } : {}),
  };
  return stringify(outcome satisfies { [key in keyof CodeOutcome]: unknown });
}

function compileCode(code: string): { readonly run: Body } | { readonly error: CodeError } {
  try {
    return { run: evaluateGlobally(`(async function () {\n${code}\n})\n//# sourceURL=${FILE}`) as Body };
  } catch (error) {
    return { error: toCodeError(error) };
  }
}

// Called by another name, eval works in the global scope: the code sees the globals and nothing of this module.
const evaluateGlobally: (source: string) => unknown = globalThis.eval;

async function runOnce(body: Body): Promise<{ value?: unknown; error?: CodeError }> {
  try {
    const value = await body.call(globalThis);
    refuseDepth(value);
    // Made plain here, where what fails can still be blamed on this item.
    const text = stringify(value);
    return text === undefined ? {} : { value: parse(text) as unknown };
  } catch (error) {
    return { error: toCodeError(error) };
  }
}

/** Levels of nesting that results may have: JSON is written and read by recursion, here and wherever the result goes. */
const DEEPEST = 1_000;

/** A thousand frames fit the stack. Keeps no list of what it has seen: a result may have more objects than a set may. */
function refuseDepth(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > DEEPEST) throw new TypeError(`The result is nested more than ${DEEPEST} levels deep, or contains itself`);
  for (const part of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) refuseDepth(part, depth + 1);
}

function toCodeError(thrown: unknown): CodeError {
  if (typeof thrown !== 'object' || thrown === null || !('message' in thrown)) return { message: stringify(thrown) ?? String(thrown) };
  const { message, name, stack } = thrown as { message: unknown; name?: unknown; stack?: unknown };
  const line = lineIn(typeof stack === 'string' ? stack : '');
  return {
    message: String(message),
    ...(name === undefined ? {} : { name: String(name) }),
    ...(line === undefined ? {} : { line }),
    ...(thrown instanceof ExpressionError && thrown.description !== undefined ? { description: thrown.description } : {}),
  };
}

function lineIn(stack: string): number | undefined {
  const match = new RegExp(`${FILE}:(\\d{1,9})`).exec(stack);
  return match ? Math.max(1, Number(match[1]) - 1) : undefined;
}
