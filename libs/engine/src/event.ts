import type { OpenActivation, OutputRef } from './activation.ts';
import type { EndCause } from './execution.ts';
import type { ErrorShape } from './item.ts';
import type { Outcome } from './outcome.ts';

/** Everything that can happen to an execution. */
export type Event =
  /** It begins at these nodes, each with the items it was given (null: none). */
  | { readonly kind: 'execution-started'; readonly starts: readonly { readonly node: number; readonly input: OutputRef | null }[] }
  /** It was accepted and cannot begin: it ends as failed without a single run. */
  | { readonly kind: 'execution-refused'; readonly error: ErrorShape }
  | { readonly kind: 'activation-settled'; readonly activation: OpenActivation; readonly outcome: Outcome }
  | { readonly kind: 'cancel-requested'; readonly cause: EndCause; readonly error: ErrorShape | null };
