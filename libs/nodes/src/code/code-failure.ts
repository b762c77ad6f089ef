import type { CodeResult } from '../node-context.ts';
import { NodeError } from '../node-error.ts';

/** What code threw, as an error of the node that names the line. */
export function codeFailure(error: NonNullable<CodeResult['results'][number]['error']>, itemIndex?: number): NodeError {
  const place = error.line === undefined ? '' : ` [line ${error.line}]`;
  return new NodeError(`${error.message}${place}`, {
    ...(itemIndex === undefined ? {} : { itemIndex }),
    ...(error.description === undefined ? {} : { description: error.description }),
    code: 'code_failed',
  });
}
