import type { CounterName, GaugeName, HistogramName } from './metric-names.ts';
import type { SpanName } from './names.ts';
import type { Traceparent } from './traceparent.ts';

export type AttributeValue = string | number | boolean;
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;
export type Labels = Readonly<Record<string, string>>;

export interface SpanLink {
  readonly to: Traceparent;
  readonly attributes?: Attributes;
}

export interface SpanStart {
  readonly name: SpanName;
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** None: the span begins a trace of its own. */
  readonly parent?: Traceparent | null;
  /** Which spans this one answers without being their child: producers of its input, its execution, an earlier segment. */
  readonly links?: readonly SpanLink[];
  readonly attributes?: Attributes;
  /** Milliseconds since 1970, for a span that is written down after the fact. */
  readonly startedAt?: number;
  /** Gives the span this very identity; only for the execution's span, whose id anybody can compute. */
  readonly identity?: Traceparent;
}

export interface Span {
  /** Where the span is, for children elsewhere; null when nothing is recorded. */
  readonly traceparent: Traceparent | null;
  set(attributes: Attributes): void;
  /** Marks the span as failed and attaches the error as an `exception` event. */
  fail(error: { readonly name?: string; readonly message: string; readonly stack?: string }): void;
  /** Ends the span; a second call does nothing. */
  end(endedAt?: number): void;
}

/**
 * Spans and metrics. No method throws or waits for a network: with the collector down or slow, spans are dropped and
 * counted, and nothing else changes.
 */
export abstract class Telemetry {
  abstract startSpan(start: SpanStart): Span;

  abstract count(counter: CounterName, by?: number, labels?: Labels): void;
  abstract set(gauge: GaugeName, value: number, labels?: Labels): void;
  abstract observe(histogram: HistogramName, value: number, labels?: Labels): void;

  /** All metrics of this process in Prometheus' text format. */
  abstract exposition(): Promise<{ contentType: string; text: string }>;

  /** Hands over what is still buffered, within a bounded time. */
  abstract stop(): Promise<void>;
}
