import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { metrics, type CounterName, type GaugeName, type HistogramName, type MetricDescription, type MetricName } from './metric-names.ts';
import type { Labels } from './telemetry.ts';

/** The metrics of this process, each under its own name and under its alias. Series appear with their first value. */
export class PrometheusMetrics {
  readonly #registry = new Registry();
  readonly #counters = new Map<MetricName, Counter[]>();
  readonly #gauges = new Map<MetricName, Gauge[]>();
  readonly #histograms = new Map<MetricName, Histogram[]>();

  /** `constantLabels` are put on every series, such as the instance's role. */
  constructor(constantLabels: Labels = {}) {
    this.#registry.setDefaultLabels(constantLabels);
    for (const [name, description] of Object.entries(metrics) as [MetricName, MetricDescription][]) this.#register(name, description);
  }

  count(name: CounterName, by: number, labels: Labels): void {
    for (const counter of this.#counters.get(name) ?? []) counter.inc(labels, by);
  }

  set(name: GaugeName, value: number, labels: Labels): void {
    for (const gauge of this.#gauges.get(name) ?? []) gauge.set(labels, value);
  }

  observe(name: HistogramName, value: number, labels: Labels): void {
    for (const histogram of this.#histograms.get(name) ?? []) histogram.observe(labels, value);
  }

  async exposition(): Promise<{ contentType: string; text: string }> {
    return { contentType: this.#registry.contentType, text: await this.#registry.metrics() };
  }

  #register(name: MetricName, { kind, unit, help, labels, buckets, alias }: MetricDescription): void {
    const names = alias === undefined ? [name] : [name, alias];
    const registers = [this.#registry];
    const options = (own: string) => ({ name: own, help: `${help} In ${unit}.${own === name ? '' : ` Same as ${name}.`}`, labelNames: [...labels], registers });
    if (kind === 'counter') this.#counters.set(name, names.map((own) => new Counter(options(own))));
    if (kind === 'gauge') this.#gauges.set(name, names.map((own) => new Gauge(options(own))));
    if (kind === 'histogram') this.#histograms.set(name, names.map((own) => new Histogram({ ...options(own), buckets: [...(buckets ?? [])] })));
  }
}
