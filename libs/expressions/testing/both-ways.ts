import type { Json } from '@app/engine';
import { compileExpression } from '../src/compile-expression.ts';
import { ExpressionError } from '../src/errors.ts';
import type { ExecutionData, Variables } from '../src/execution-data.ts';
import { Evaluation, FRUGAL, GENEROUS, NEEDS_SANDBOX } from '../src/language/evaluation.ts';
import { View } from '../src/n8n/view.ts';
import { nodePlatform } from '../src/platform.ts';
import type { EvaluationResult, Sandbox } from '../src/sandbox/sandbox.ts';

/** What an evaluation came to, comparable. */
export type Ending = { readonly value: Json } | { readonly error: string; readonly message: string };

/** Evaluates in the worker's own thread; undefined when only the sandbox may. */
export function evaluateFast(text: string, data: ExecutionData, itemIndex = 0, variables?: Variables): Ending | undefined {
  const view = new View(data, nodePlatform, (inner, evaluation) => compileExpression(inner).run(evaluation));
  try {
    const compiled = compileExpression(text);
    return { value: compiled.run(new Evaluation(view, itemIndex, variables, true, compiled.kind === 'sandbox' ? FRUGAL : GENEROUS)) };
  } catch (error) {
    if (error === NEEDS_SANDBOX) return undefined;
    if (error instanceof ExpressionError) return { error: error.code, message: error.message };
    throw error;
  }
}

export async function evaluateInSandbox(sandbox: Sandbox, texts: readonly string[], data: ExecutionData, itemIndex = 0): Promise<Ending[]> {
  const results = await sandbox.evaluateMany(
    texts.map((text) => ({ text, itemIndex })),
    data,
  );
  return results.map(endingOf);
}

function endingOf(result: EvaluationResult): Ending {
  return result.error ? { error: result.error.code, message: result.error.message } : { value: result.value };
}
