import type { Json } from '@app/engine';
import ivm from 'isolated-vm';
import { fromExpressionErrorShape, type ExpressionError } from '../errors.ts';
import type { ExecutionData, Variables } from '../execution-data.ts';
import { answersFrom, payloadOf } from './answer.ts';
import type { CodeMode, CodeOutcome, GuestResult } from './border.ts';
import { IsolatePool } from './isolate-pool.ts';
import { failureOf, withDeadline } from './sandbox-failure.ts';
import { Sleepers } from './sleepers.ts';

export interface EvaluationRequest {
  readonly text: string;
  readonly itemIndex: number;
  readonly variables?: Variables | undefined;
}

export type EvaluationResult = { readonly value: Json; readonly error?: undefined } | { readonly error: ExpressionError };

export interface SandboxOptions {
  /** Per isolate; at least 8. */
  readonly memoryMb: number;
  /** For one expression, and for all expressions of an activation that fail this way together. */
  readonly timeoutMs: number;
  /** For the code of one activation, waiting included. Default: twelve times `timeoutMs`. */
  readonly codeTimeoutMs?: number;
  /** How many activations may evaluate expressions at once, and how many may run code beside them; the others queue. */
  readonly poolSize: number;
  /** The text of dist/sandbox-guest.js. */
  readonly guestSource: string;
}

/** After so many expressions of a batch have run into a limit, the others are not tried any more. */
const MOST_FAILURES = 3;

/**
 * Runs expressions and code of authors outside the worker's thread and heap. Nothing of the process is in reach, and
 * nothing one activation leaves behind can be seen by the next. Failures of any kind come back as values.
 */
export class Sandbox {
  readonly #pool: IsolatePool;
  readonly #timeoutMs: number;
  readonly #codeTimeoutMs: number;
  readonly #memoryMb: number;

  constructor(options: SandboxOptions) {
    this.#pool = new IsolatePool({ memoryMb: options.memoryMb, size: options.poolSize, guestSource: options.guestSource });
    this.#timeoutMs = options.timeoutMs;
    this.#codeTimeoutMs = options.codeTimeoutMs ?? options.timeoutMs * 12;
    this.#memoryMb = options.memoryMb;
  }

  /** One result per request, in order. Never throws for what an expression does. */
  async evaluateMany(requests: readonly EvaluationRequest[], data: ExecutionData): Promise<EvaluationResult[]> {
    const results: EvaluationResult[] = [];
    let failures = 0;
    let batchSize = requests.length;
    let lastError: ExpressionError | undefined;
    while (results.length < requests.length) {
      if (failures >= MOST_FAILURES && lastError) {
        results.push({ error: lastError });
        continue;
      }
      const batch = await this.#evaluateBatch(requests.slice(results.length, results.length + batchSize), data);
      results.push(...batch.results);
      if (!batch.error) continue;
      if (batch.isLost && batchSize > 1) {
        // The heap is gone with all results: one by one, to find the expression that took it all.
        batchSize = 1;
        continue;
      }
      lastError = batch.error;
      failures++;
      results.push({ error: batch.error });
    }
    return results;
  }

  /** The outcome of code; limits and syntax errors are errors in it. */
  async runCode(
    request: { readonly code: string; readonly mode: CodeMode; readonly signal?: AbortSignal },
    data: ExecutionData,
  ): Promise<CodeOutcome> {
    const timeout = this.#codeTimeoutMs;
    try {
      const text = await this.#pool.use('code', request.signal, async ({ context, isolate, park }) => {
        const sleepers = new Sleepers(park);
        try {
          return await withDeadline({ isolate, ms: timeout, signal: request.signal }, async () => {
            // The reference stays within this closure: code of authors never holds an object of isolated-vm.
            return (await context.evalClosure(
              'argosyGuest.open($0, $1, $2); return argosyGuest.runCode($3, $4, (ms) => $5.apply(undefined, [ms], { result: { promise: true } }))',
              [payloadOf(data), new ivm.Callback(answersFrom(data)), this.#memoryMb, request.code, request.mode, sleepers.reference()],
              { timeout, result: { promise: true, copy: true } },
            )) as string;
          });
        } finally {
          // Timers that the code left behind would run in an isolate that is somebody else's by then.
          if (sleepers.pending && !isolate.isDisposed) isolate.dispose();
          sleepers.end();
        }
      });
      return outcomeOf(text);
    } catch (error) {
      const { message, code, description } = failureOf(error, { what: 'The code', timeoutMs: timeout, memoryMb: this.#memoryMb });
      const failed = { error: { message, name: code, description } };
      const isPerItem = request.mode === 'each' || request.mode === 'legacyItem';
      const count = isPerItem
        ? (data.inputs[
            data.currentInput ??
              Math.max(
                0,
                data.inputs.findIndex((items) => items?.length),
              )
          ]?.length ?? 0)
        : 1;
      return { results: Array.from({ length: count }, () => failed), logs: [] };
    }
  }

  dispose(): void {
    this.#pool.dispose();
  }

  async #evaluateBatch(
    requests: readonly EvaluationRequest[],
    data: ExecutionData,
  ): Promise<{ results: EvaluationResult[]; error?: ExpressionError; isLost?: boolean }> {
    const timeout = this.#timeoutMs;
    let results: EvaluationResult[] = [];
    let isLost = false;
    try {
      await this.#pool.use('expressions', undefined, ({ context, isolate }) =>
        withDeadline({ isolate, ms: timeout * 2 }, async () => {
          try {
            const found: unknown = await context.evalClosure(
              'argosyGuest.open($0, $1, $2); return argosyGuest.evaluate($3)',
              [payloadOf(data), new ivm.Callback(answersFrom(data)), this.#memoryMb, JSON.stringify(requests)],
              { timeout, result: { copy: true } },
            );
            results = (found as GuestResult[]).map(toResult);
          } catch (error) {
            isLost = isolate.isDisposed;
            if (!isLost)
              results = (
                (await context.evalClosure('return argosyGuest.finished()', [], { timeout, result: { copy: true } })) as GuestResult[]
              ).map(toResult);
            throw error;
          }
        }),
      );
      return { results };
    } catch (error) {
      return { results, isLost, error: failureOf(error, { what: 'The expression', timeoutMs: timeout, memoryMb: this.#memoryMb }) };
    }
  }
}

function toResult(result: GuestResult): EvaluationResult {
  return 'error' in result ? { error: fromExpressionErrorShape(result.error) } : { value: result.value };
}

/** Code can change everything in its sandbox, what writes down its outcome too. */
function outcomeOf(text: string): CodeOutcome {
  const outcome = JSON.parse(text) as Partial<CodeOutcome> | null;
  if (!Array.isArray(outcome?.results) || !Array.isArray(outcome.logs)) throw new Error('it replaced functions that the sandbox itself needs');
  return outcome as CodeOutcome;
}
