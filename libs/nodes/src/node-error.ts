import type { Json } from '@app/engine';

export interface NodeErrorDetails {
  readonly itemIndex?: number;
  /** What to do about it, for the person who reads the execution. */
  readonly description?: string;
  readonly code?: string;
  /** False when the same input must fail again. */
  readonly retryable?: boolean;
  readonly context?: { readonly [key: string]: Json };
  readonly cause?: unknown;
}

/**
 * A node could not do its work. The name is the one workflows of the n8n dialect find in `execution.error.name`.
 */
export class NodeError extends Error {
  override readonly name: string = 'NodeOperationError';
  readonly code: string;
  readonly itemIndex: number | undefined;
  readonly description: string | undefined;
  readonly retryable: boolean | undefined;
  readonly context: { readonly [key: string]: Json } | undefined;

  constructor(message: string, details: NodeErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code ?? 'node_failed';
    this.itemIndex = details.itemIndex;
    this.description = details.description;
    this.retryable = details.retryable;
    this.context = details.context;
  }
}

/** An answer from outside that the node cannot accept, or none at all. */
export class NodeApiError extends NodeError {
  override readonly name = 'NodeApiError';
}

/** The text to show for anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
