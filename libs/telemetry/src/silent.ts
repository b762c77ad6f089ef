import { Telemetry, type Span } from './telemetry.ts';

const silentSpan: Span = { traceparent: null, set() {}, fail() {}, end() {} };

/** Records nothing and allocates nothing: for tests, and for libraries that were given no telemetry. */
export class SilentTelemetry extends Telemetry {
  startSpan(): Span {
    return silentSpan;
  }
  count(): void {}
  set(): void {}
  observe(): void {}
  async exposition(): Promise<{ contentType: string; text: string }> {
    return { contentType: 'text/plain; version=0.0.4; charset=utf-8', text: '' };
  }
  async stop(): Promise<void> {}
}
