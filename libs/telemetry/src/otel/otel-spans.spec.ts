import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import { trace } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { executionSpan } from '../traceparent.ts';
import { OtelSpans } from './otel-spans.ts';
import { traceSdkWith } from './sdk.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const options = { role: 'worker', instanceId: 'w1', version: '0.1.0', sampleRatio: 1, onDropped: () => {} } as const;

function recording(exporter: SpanExporter, more: Partial<Omit<typeof options, 'onDropped' | 'sampleRatio'>> & { sampleRatio?: number; onDropped?: (count: number) => void } = {}) {
  const sdk = traceSdkWith(exporter, { ...options, ...more });
  return { sdk, spans: new OtelSpans(sdk.tracer, (identity) => sdk.forceIdentity(identity)) };
}

/** Keeps spans when it is shut down, unlike the SDK's own. */
function keeping() {
  const kept: Parameters<SpanExporter['export']>[0] = [];
  const exporter: SpanExporter = { export: (spans, done) => (kept.push(...spans), done({ code: 0 })), shutdown: async () => {} };
  return { kept, exporter };
}

describe('spans', () => {
  it('become children of their parent and are linked to what they answer', async () => {
    const { kept, exporter } = keeping();
    const { sdk, spans } = recording(exporter);
    const segment = spans.start({ name: 'process activations', kind: 'consumer', links: [{ to: executionSpan(traceId, '7') }] });
    const node = spans.start({ name: 'node.execute', parent: segment.traceparent, attributes: { 'n8n.node.name': 'Set', skipped: undefined } });
    node.fail({ name: 'NodeError', message: 'boom' });
    node.end();
    node.end();
    segment.end();
    await sdk.stop();
    const [child, parent] = kept;
    expect(kept).toHaveLength(2);
    expect(child!.parentSpanContext?.spanId).toBe(parent!.spanContext().spanId);
    expect(child!.attributes).toEqual({ 'n8n.node.name': 'Set' });
    expect(child!.events.map(({ name }) => name)).toEqual(['exception']);
    expect(parent!.links[0]!.context.traceId).toBe(traceId);
    expect(parent!.resource.attributes['n8n.instance.role']).toBe('worker');
  });

  it('writes the span of an execution under the id that everybody computed, and nothing after it', async () => {
    const { kept, exporter } = keeping();
    const { sdk, spans } = recording(exporter);
    const identity = executionSpan(traceId, '7');
    const root = spans.start({ name: 'workflow.execute', identity, startedAt: 1_000 });
    root.end(4_000);
    spans.start({ name: 'node.execute' }).end();
    await sdk.stop();
    expect(root.traceparent).toBe(identity);
    expect(kept[0]!.duration).toEqual([3, 0]);
    expect(kept[1]!.spanContext().traceId).not.toBe(traceId);
  });

  it('follows the decision of the caller, and keeps nothing of its own at ratio 0', async () => {
    const { kept, exporter } = keeping();
    const { sdk, spans } = recording(exporter, { sampleRatio: 0 });
    spans.start({ name: 'node.execute' }).end();
    spans.start({ name: 'node.execute', parent: `00-${traceId}-b7ad6b7169203331-01` }).end();
    await sdk.stop();
    expect(kept).toHaveLength(1);
  });

  it('counts what a collector refused, and what was too much for the queue', async () => {
    let dropped = 0;
    const refusing: SpanExporter = { export: (_, done) => done({ code: 1 }), shutdown: async () => {} };
    const { sdk, spans } = recording(refusing, { onDropped: (count) => (dropped += count) });
    for (let index = 0; index < 5_000; index += 1) spans.start({ name: 'node.execute' }).end();
    await sdk.stop();
    expect(dropped).toBe(5_000);
  });

  it('records nothing and offers no context when no SDK is there', () => {
    const span = new OtelSpans(trace.getTracer('none')).start({ name: 'node.execute' });
    span.end();
    expect(span.traceparent).toBeNull();
  });
});
