import type { ErrorShape, Outcome } from '@app/engine';
import { StoreUnavailable } from '@app/store';

/** What went wrong is no fault of the node, and would be no fault of its next try. */
export function isStoreAway(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof StoreUnavailable) return true;
  return false;
}

/** Anything thrown, as an error of the node. */
export function toErrorShape(error: unknown): ErrorShape {
  if (!(error instanceof Error)) return { message: typeof error === 'string' && error !== '' ? error : `The node threw ${JSON.stringify(error) ?? 'undefined'}.` };
  const details = error as Error & { code?: unknown; description?: unknown; retryable?: unknown; itemIndex?: unknown; context?: ErrorShape['context'] };
  return {
    message: shortened(error.message || error.name),
    name: error.name,
    ...(typeof details.code === 'string' && { code: details.code }),
    ...(typeof details.description === 'string' && { description: shortened(details.description) }),
    ...(typeof details.retryable === 'boolean' && { retryable: details.retryable }),
    ...(typeof details.itemIndex === 'number' && { itemIndex: details.itemIndex }),
    ...(details.context && { context: details.context }),
    ...(error.stack && { stack: error.stack.slice(0, 2000) }),
  };
}

/** A message is read by people, and stored with every run, execution and item that it reaches. */
const MOST_CHARACTERS = 10_000;

function shortened(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}… (${text.length - MOST_CHARACTERS} characters more)`;
}

export function toNodeFailure(error: unknown): Outcome {
  return { kind: 'failed', error: toErrorShape(error) };
}
