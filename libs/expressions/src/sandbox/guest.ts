import { compileExpression } from '../compile-expression.ts';
import { ExpressionError, toExpressionErrorShape } from '../errors.ts';
import { Evaluation } from '../language/evaluation.ts';
import type { GuestRequest, GuestResult } from './border.ts';
import { openedView, ownView } from './guest-activation.ts';

/* The entry of the bundle that is loaded into every isolate. Nothing here runs in the worker's own thread. */

export { open } from './guest-activation.ts';
export { runCode } from './guest-code.ts';

let results: GuestResult[] = [];

/** Evaluates in order. */
export function evaluate(requests: string): GuestResult[] {
  results = [];
  for (const request of JSON.parse(requests) as GuestRequest[]) results.push(evaluateOne(request));
  return results;
}

/** What is finished, even when the time ran out on the way. */
export function finished(): GuestResult[] {
  return results;
}

function evaluateOne({ text, itemIndex, variables }: GuestRequest): GuestResult {
  const compiled = compileExpression(text);
  // Code that changes what it is given must not change it for the next expression.
  const view = compiled.changes ? ownView() : openedView();
  try {
    return { value: compiled.run(new Evaluation(view, itemIndex, variables, false)) };
  } catch (error) {
    if (error instanceof ExpressionError) return { error: toExpressionErrorShape(error) };
    const reason = error instanceof Error ? error.message : String(error);
    return { error: { name: 'ExpressionError', code: 'expression_sandbox_failed', message: `The expression failed: ${reason}` } };
  }
}
