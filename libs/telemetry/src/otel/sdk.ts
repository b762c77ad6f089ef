import type { Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  type IdGenerator,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import type { InstanceRole } from '../names.ts';
import type { TraceContext } from '../traceparent.ts';

export interface SdkOptions {
  /** The collector, without a path: http://collector:4318. */
  endpoint: string;
  role: InstanceRole;
  instanceId: string;
  version: string;
  /** Share of the traces that are kept, 0 to 1; a trace that a caller sampled is always kept. */
  sampleRatio: number;
  onDropped(count: number): void;
}

/** About 2 MB of spans at most: what is beyond it while the collector is slow is dropped and counted. */
const queueLimit = 4_096;
const batchLimit = 512;
const exportMs = 5_000;

export interface TraceSdk {
  readonly tracer: Tracer;
  forceIdentity(identity: TraceContext | null): void;
  stop(): Promise<void>;
}

export function startTraceSdk(options: SdkOptions): TraceSdk {
  return traceSdkWith(new OTLPTraceExporter({ url: `${options.endpoint.replace(/\/+$/, '')}/v1/traces`, timeoutMillis: exportMs }), options);
}

export function traceSdkWith(exporter: SpanExporter, { role, instanceId, version, sampleRatio, onDropped }: Omit<SdkOptions, 'endpoint'>): TraceSdk {
  const ids = new ForcedIds();
  const counting = new CountingExporter(exporter, onDropped);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'argosy',
      'service.version': version,
      'n8n.instance.id': instanceId,
      'n8n.instance.role': role,
    }),
    idGenerator: ids,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [counting.behind(new BatchSpanProcessor(counting, { maxQueueSize: queueLimit, maxExportBatchSize: batchLimit, exportTimeoutMillis: exportMs, scheduledDelayMillis: 1_000 }))],
  });
  return {
    tracer: provider.getTracer('argosy', version),
    forceIdentity: (identity) => ids.force(identity),
    stop: () => provider.shutdown().catch(() => {}),
  };
}

/** Gives spans the identity that is in force, and random ones while there is none. */
class ForcedIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #forced: TraceContext | null = null;

  force(identity: TraceContext | null): void {
    this.#forced = identity;
  }

  generateTraceId(): string {
    return this.#forced?.traceId ?? this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.#forced?.spanId ?? this.#random.generateSpanId();
  }
}

/** Counts what was handed in and never delivered: refused by the collector, or in excess of the queue. */
class CountingExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #onDropped: (count: number) => void;
  #waiting = 0;

  constructor(exporter: SpanExporter, onDropped: (count: number) => void) {
    this.#exporter = exporter;
    this.#onDropped = onDropped;
  }

  /** The processor drops in silence beyond its limit; so count in front of it. */
  behind(processor: BatchSpanProcessor): BatchSpanProcessor {
    const onEnd = processor.onEnd.bind(processor);
    processor.onEnd = (span: ReadableSpan) => {
      if ((span.spanContext().traceFlags & 1) === 0) return;
      if (this.#waiting >= queueLimit) return this.#onDropped(1);
      this.#waiting += 1;
      onEnd(span);
    };
    return processor;
  }

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.#waiting -= spans.length;
    this.#exporter.export(spans, (result) => {
      if (result.code !== 0) this.#onDropped(spans.length);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.();
  }
}
