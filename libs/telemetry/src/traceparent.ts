import { createHash, randomBytes } from 'node:crypto';

/** W3C trace context, as it is stored in rows and sent in headers: `00-<32 hex>-<16 hex>-<2 hex>`. */
export type Traceparent = string;

export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Null for everything that the recommendation calls invalid; a version of the future is read as far as we know it. */
export function parseTraceparent(text: string | null | undefined): TraceContext | null {
  const found = form.exec(text?.trim() ?? '');
  if (!found) return null;
  const [, version, traceId, spanId, flags, rest] = found as unknown as [string, string, string, string, string, string | undefined];
  const isInvalid = version === 'ff' || (version === '00' && rest !== undefined) || /^0+$/.test(traceId) || /^0+$/.test(spanId);
  return isInvalid ? null : { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): Traceparent {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/** Adds the context to the headers of an outgoing request, unless its author set one. */
export function injectTraceparent(headers: Record<string, string>, traceparent: Traceparent | null): Record<string, string> {
  const isSet = Object.keys(headers).some((name) => name.toLowerCase() === 'traceparent');
  return traceparent === null || isSet ? headers : { ...headers, traceparent };
}

/** The trace of an execution: that of the request which started it, else a new one. Stored in the execution's row. */
export function newTraceId(inbound?: string | null): string {
  return parseTraceparent(inbound)?.traceId ?? randomBytes(16).toString('hex');
}

/**
 * The execution's own span. It is computed, so that every worker can link to it before it is written down, and
 * whoever sees the execution end can write it. Sampling follows from the trace id alone, the same on every worker.
 */
export function executionSpan(traceId: string, executionId: string, sampled = true): Traceparent {
  const spanId = createHash('sha256').update(`argosy execution ${traceId} ${executionId}`).digest('hex').slice(0, 16);
  return formatTraceparent({ traceId, spanId, sampled });
}
