import type { Item, Json, JsonObject, Source } from '@app/engine';
import type { ExpressionErrorShape } from '../errors.ts';
import type { ExecutionData, Variables } from '../execution-data.ts';

/**
 * What crosses between the worker and the sandbox. Everything is text or plain data; the sandbox is never handed a
 * reference to an object of the worker.
 */
export interface Payload extends Pick<
  ExecutionData,
  | 'node'
  | 'workflow'
  | 'execution'
  | 'runIndex'
  | 'inputs'
  | 'inputSources'
  | 'currentInput'
  | 'vars'
  | 'env'
  | 'customData'
  | 'staticData'
  | 'now'
> {}

/** Questions the sandbox asks while it runs, so that data nobody reads is never copied. Answers are JSON texts or plain values. */
export interface Ask {
  (question: 'runCount', node: string): number | undefined;
  (question: 'run', node: string, index: number): string | undefined;
  (question: 'hasNode' | 'isAncestor', node: string): boolean;
  (question: 'parameters', node: string): string | undefined;
  (question: 'context', node: string): string;
  (question: 'outputTowards', node: string): number;
  (question: 'ancestor', node: string, inputIndex: number, itemIndex: number): string;
  (question: 'hash', algorithm: string, text: string): string;
}

export interface RunAnswer {
  readonly outputs: readonly (readonly Item[] | null)[];
  readonly sources: readonly (Source | null)[];
}

export type AncestorAnswer = { readonly item?: Item } | { readonly error: ExpressionErrorShape };

export interface GuestRequest {
  readonly text: string;
  readonly itemIndex: number;
  readonly variables?: Variables | undefined;
}

export type GuestResult = { readonly value: Json } | { readonly error: ExpressionErrorShape };

/** `all`: once, for all items. `each`: once per item. The legacy ones are those of the Function and Function Item nodes. */
export type CodeMode = 'all' | 'each' | 'legacy' | 'legacyItem';

export interface CodeError {
  readonly message: string;
  readonly name?: string;
  /** In the author's code, counted from 1. */
  readonly line?: number;
  readonly description?: string;
}

export interface CodeOutcome {
  /** One for `all` and `legacy`, one per item for the others. */
  readonly results: readonly { readonly value?: Json; readonly error?: CodeError }[];
  readonly logs: readonly string[];
  /** The whole static data when the code changed it; absent when it did not, or when any of it threw. */
  readonly staticData?: { readonly global: JsonObject; readonly node: JsonObject };
  /** Custom data of the execution that the code has set. */
  readonly customData?: Readonly<Record<string, string>>;
}
