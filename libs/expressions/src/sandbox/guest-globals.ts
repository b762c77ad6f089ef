import { DateTime, Duration, Interval } from 'luxon';
import * as luxon from 'luxon';
import { ExpressionError } from '../errors.ts';
import { fromBase64, toBase64 } from '../extensions/encoding.ts';
import type { Evaluation } from '../language/evaluation.ts';
import { InputReference } from '../n8n/input-reference.ts';
import { VARIABLES } from '../n8n/variables.ts';
import type { View } from '../n8n/view.ts';
import type { CodeMode } from './border.ts';
import { GuestBuffer } from './guest-buffer.ts';
import { CUSTOM_DATA_METHODS } from './guest-custom-data.ts';
import type { Log } from './guest-log.ts';
import { timers } from './guest-timers.ts';
import { TextDecoder, TextEncoder } from './guest-text.ts';

interface Setting {
  readonly view: View;
  readonly mode: CodeMode;
  readonly sleep: (ms: number) => Promise<void>;
  readonly log: Log;
  readonly customData: Record<string, string>;
}

/** Defines what code may use. `select` says which item it is running for. */
export function defineCodeGlobals(setting: Setting): { select(evaluation: Evaluation): void } {
  const { view, mode } = setting;
  const perItem = mode === 'each' || mode === 'legacyItem';
  let current!: Evaluation;

  for (const [name, variable] of Object.entries(VARIABLES)) {
    // These four are JavaScript words an author may well define; the language has them with a dollar sign, too.
    if (/^(min|max|average|not|zip|numberList)$/.test(name)) continue;
    defineGetter(name, () => variable(current));
  }
  defineGetter('$input', () => new InputReference(current, perItem));
  defineGetter('$execution', () => ({
    ...(VARIABLES['$execution']!(current) as object),
    customData: CUSTOM_DATA_METHODS(view, setting.customData),
  }));
  if (!perItem) define('items', view.items);
  else defineGetter('item', () => (mode === 'legacyItem' ? current.item?.json : current.item));

  const staticData = (kind: unknown): unknown => {
    if (kind === 'global' || kind === 'node') return view.data.staticData[kind];
    throw new ExpressionError(
      'expression_argument',
      `There is no static data "${String(kind)}"`,
      'Use $getWorkflowStaticData("global") or $getWorkflowStaticData("node").',
    );
  };
  define('$getWorkflowStaticData', staticData);
  define('getWorkflowStaticData', staticData);
  define('$getNodeParameter', (name: string) => (VARIABLES['$parameter']!(current) as Record<string, unknown>)[name]);
  define('getNodeParameter', (name: string) => (VARIABLES['$parameter']!(current) as Record<string, unknown>)[name]);

  const write = (...values: unknown[]): void => setting.log.write(values);
  define('console', { log: write, info: write, warn: write, error: write, debug: write, trace: write });
  defineAll({ DateTime, Duration, Interval, luxon, Buffer: GuestBuffer, TextEncoder, TextDecoder, ...timers(setting.sleep) });
  define('btoa', (text: unknown) => toBase64(Uint8Array.from(String(text), (sign) => sign.charCodeAt(0))));
  define('atob', (text: unknown) => String.fromCharCode(...fromBase64(String(text))));
  define('structuredClone', (value: unknown) => (value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown)));
  define('require', (name: unknown) => {
    throw new ExpressionError(
      'expression_unavailable',
      `Module "${String(name)}" is not available to code`,
      'DateTime, luxon, $jmespath and Buffer are there without require.',
    );
  });

  return {
    select: (evaluation) => {
      current = evaluation;
    },
  };
}

/** Authors may define variables of these names themselves. */
function define(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
}

function defineAll(values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values)) define(name, value);
}

function defineGetter(name: string, get: () => unknown): void {
  Object.defineProperty(globalThis, name, { get, set: (value: unknown) => define(name, value), configurable: true, enumerable: false });
}
