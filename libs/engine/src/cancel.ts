import type { Draft } from './draft.ts';
import type { EndCause } from './execution.ts';
import type { ErrorShape } from './item.ts';

/** Ends the execution at once. What still runs finds its lease gone; the store removes everything that is open. */
export function cancel(draft: Draft, cause: EndCause, error: ErrorShape | null): void {
  draft.execution.status = 'canceled';
  draft.end = { status: 'canceled', cause, error };
}
