import { trace } from '@opentelemetry/api';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { OtelSpans } from './otel/otel-spans.ts';
import { startTraceSdk, type SdkOptions, type TraceSdk } from './otel/sdk.ts';
import { PrometheusMetrics } from './prometheus.ts';
import { Telemetry, type Labels, type Span, type SpanStart } from './telemetry.ts';
import type { CounterName, GaugeName, HistogramName } from './metric-names.ts';

export type TelemetryOptions = Omit<SdkOptions, 'endpoint' | 'onDropped'> & {
  /** Absent: spans cost nothing and go nowhere, unless the host process registered an SDK of its own. */
  endpoint?: string | undefined;
};

/** Flushing waits this long for a collector and no longer: a drain must end. */
const stopMs = 3_000;
const silent: Labels = {};

/** What the applications put behind Telemetry: Prometheus metrics always, spans when somebody listens. */
export function startTelemetry({ endpoint, ...options }: TelemetryOptions): Telemetry {
  const metrics = new PrometheusMetrics({ role: options.role });
  const onDropped = (count: number) => metrics.count('spans_dropped_total', count, silent);
  const sdk = endpoint ? startTraceSdk({ ...options, endpoint, onDropped }) : null;
  return new ProcessTelemetry(metrics, sdk);
}

class ProcessTelemetry extends Telemetry {
  readonly #metrics: PrometheusMetrics;
  readonly #sdk: TraceSdk | null;
  readonly #spans: OtelSpans;
  readonly #loopDelay = monitorEventLoopDelay({ resolution: 20 });

  constructor(metrics: PrometheusMetrics, sdk: TraceSdk | null) {
    super();
    this.#metrics = metrics;
    this.#sdk = sdk;
    this.#spans = sdk ? new OtelSpans(sdk.tracer, (identity) => sdk.forceIdentity(identity)) : new OtelSpans(trace.getTracer('argosy'));
    this.#loopDelay.enable();
  }

  startSpan(start: SpanStart): Span {
    return this.#spans.start(start);
  }

  count(counter: CounterName, by = 1, labels = silent): void {
    this.#metrics.count(counter, by, labels);
  }

  set(gauge: GaugeName, value: number, labels = silent): void {
    this.#metrics.set(gauge, value, labels);
  }

  observe(histogram: HistogramName, value: number, labels = silent): void {
    this.#metrics.observe(histogram, value, labels);
  }

  async exposition(): Promise<{ contentType: string; text: string }> {
    this.#metrics.set('event_loop_lag_seconds', this.#loopDelay.percentile(99) / 1e9, silent);
    this.#loopDelay.reset();
    return await this.#metrics.exposition();
  }

  async stop(): Promise<void> {
    this.#loopDelay.disable();
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, stopMs).unref());
    await Promise.race([this.#sdk?.stop(), timeout]);
  }
}
