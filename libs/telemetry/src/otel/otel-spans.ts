import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace, type Link, type SpanContext, type Tracer } from '@opentelemetry/api';
import { formatTraceparent, parseTraceparent, type TraceContext } from '../traceparent.ts';
import type { Span, SpanStart } from '../telemetry.ts';

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** How an SDK is told which ids to give, until it is told null. Without it, `identity` has no effect. */
export type ForceIdentity = (identity: TraceContext | null) => void;

/** Spans through OpenTelemetry's API alone: which SDK stands behind it, if any, is the application's affair. */
export class OtelSpans {
  readonly #tracer: Tracer;
  readonly #forceIdentity: ForceIdentity;

  constructor(tracer: Tracer, forceIdentity: ForceIdentity = () => {}) {
    this.#tracer = tracer;
    this.#forceIdentity = forceIdentity;
  }

  start({ name, kind = 'internal', parent, links = [], attributes = {}, startedAt, identity }: SpanStart): Span {
    const parentContext = toSpanContext(parent);
    const context = parentContext ? trace.setSpanContext(ROOT_CONTEXT, parentContext) : ROOT_CONTEXT;
    const forced = parseTraceparent(identity);
    if (forced) this.#forceIdentity(forced);
    const span = this.#tracer.startSpan(
      name,
      { kind: kinds[kind], attributes: { ...attributes }, links: links.flatMap(toLink), ...(startedAt === undefined ? {} : { startTime: new Date(startedAt) }) },
      context,
    );
    if (forced) this.#forceIdentity(null);
    const { traceId, spanId, traceFlags } = span.spanContext();
    let isEnded = false;
    return {
      traceparent: trace.isSpanContextValid(span.spanContext()) ? formatTraceparent({ traceId, spanId, sampled: (traceFlags & TraceFlags.SAMPLED) !== 0 }) : null,
      set: (more) => void span.setAttributes({ ...more }),
      fail: ({ name: type = 'Error', message, stack }) => {
        span.recordException({ name: type, message, ...(stack === undefined ? {} : { stack }) });
        span.setStatus({ code: SpanStatusCode.ERROR, message });
      },
      end: (endedAt) => {
        if (isEnded) return;
        isEnded = true;
        span.end(endedAt === undefined ? undefined : new Date(endedAt));
      },
    };
  }
}

function toLink({ to, attributes = {} }: { to: string; attributes?: object }): Link[] {
  const context = toSpanContext(to);
  return context ? [{ context, attributes: { ...attributes } }] : [];
}

function toSpanContext(traceparent: string | null | undefined): SpanContext | null {
  const context = parseTraceparent(traceparent);
  return context && { traceId: context.traceId, spanId: context.spanId, traceFlags: context.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}
