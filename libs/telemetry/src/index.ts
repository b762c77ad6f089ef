export { Telemetry } from './telemetry.ts';
export type { AttributeValue, Attributes, Labels, Span, SpanLink, SpanStart } from './telemetry.ts';
export { attributes, customNodeAttributePrefix, spanNames } from './names.ts';
export type { InstanceRole, SpanName } from './names.ts';
export { metrics } from './metric-names.ts';
export type { CounterName, GaugeName, HistogramName, MetricDescription, MetricName } from './metric-names.ts';
export { SilentTelemetry } from './silent.ts';
export { executionSpan, formatTraceparent, injectTraceparent, newTraceId, parseTraceparent } from './traceparent.ts';
export type { TraceContext, Traceparent } from './traceparent.ts';
