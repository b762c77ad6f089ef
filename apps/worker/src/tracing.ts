import { createHash } from 'node:crypto';
import { activationId, type ActivationKey } from '@app/engine';
import type { ClaimedActivation } from '@app/store';
import { attributes, executionSpan, formatTraceparent, parseTraceparent, spanNames, type Span, type SpanStart, type TraceContext, type Traceparent } from '@app/telemetry';
import type { LoadedProgram } from './program-cache.ts';
import type { WorkerKit } from './worker-kit.ts';

export const NO_SPAN: Span = { traceparent: null, set() {}, fail() {}, end() {} };

/**
 * The spans of one segment: what one worker does in one go for one execution. All ids but those of segments are
 * computed, so that a span can be linked to before, or without, its process having written it.
 */
export class SegmentTrace {
  private readonly context: TraceContext;
  private readonly segment: Span;

  private constructor(
    private readonly kit: WorkerKit,
    private readonly first: ClaimedActivation,
  ) {
    this.context = contextOf(first);
    const execution = this.executionSpan();
    this.segment = kit.telemetry.startSpan({
      name: spanNames.segment,
      kind: 'consumer',
      parent: execution,
      ...(first.resume && { links: [{ to: execution, attributes: { [attributes.continuationReason]: first.resume.cause } }] }),
      attributes: { [attributes.executionId]: first.executionId, [attributes.workerId]: kit.workerId, [attributes.messagingSystem]: 'bullmq', [attributes.messagingDestination]: first.queue, [attributes.messagingOperationType]: 'process' },
    });
  }

  /** null when nobody listens: no span, no hash, no cost. */
  static begin(kit: WorkerKit, first: ClaimedActivation): SegmentTrace | null {
    return kit.settings.tracing ? new SegmentTrace(kit, first) : null;
  }

  node(program: LoadedProgram, activation: ClaimedActivation): Span {
    const node = program.program.nodes[activation.node]!;
    const producers = activation.inputs.flatMap((input) => (input?.from ? [input.from] : []));
    const start: SpanStart = {
      name: spanNames.node,
      parent: this.segment.traceparent ?? this.executionSpan(),
      links: [{ to: this.executionSpan() }, ...producers.map((from) => ({ to: this.runSpan(from) }))],
      // The first try carries the computed id that successors link to.
      ...(activation.attempt === 1 && { identity: this.runSpan(activation) }),
      attributes: {
        [attributes.workflowId]: program.workflow.id,
        [attributes.workflowName]: program.workflow.name,
        [attributes.executionId]: activation.executionId,
        [attributes.executionMode]: activation.mode,
        [attributes.nodeId]: node.id,
        [attributes.nodeName]: node.name,
        [attributes.nodeType]: node.type,
        [attributes.nodeTypeVersion]: node.version,
        [attributes.nodeItemsInput]: activation.inputs.reduce((sum, input) => sum + (input?.ref?.count ?? 0), 0),
        [attributes.activationId]: activation.id,
        [attributes.activationAttempt]: activation.attempt,
      },
    };
    return this.kit.telemetry.startSpan(start);
  }

  /** The execution has ended with a step of this segment: its span is written down. */
  async executionEnded(program: LoadedProgram): Promise<void> {
    const record = await this.kit.store.findExecution(this.first.executionId).catch(() => undefined);
    if (!record) return;
    const span = this.kit.telemetry.startSpan({
      name: spanNames.execution,
      kind: 'server',
      parent: record.traceparent,
      identity: this.executionSpan(),
      startedAt: record.createdAt,
      attributes: {
        [attributes.workflowId]: record.workflowId,
        [attributes.workflowName]: program.workflow.name,
        [attributes.workflowVersionId]: record.versionId,
        [attributes.workflowNodeCount]: program.program.nodes.length,
        [attributes.executionId]: record.id,
        [attributes.executionMode]: record.mode,
        [attributes.executionStatus]: record.status,
        [attributes.executionIsRetry]: record.retryOf !== null,
        ...(record.retryOf !== null && { [attributes.executionRetryOf]: record.retryOf }),
        ...(record.error && { [attributes.executionErrorType]: record.error.name ?? record.error.code ?? 'Error' }),
      },
    });
    if (record.error) span.fail(record.error);
    span.end(record.finishedAt ?? undefined);
  }

  end(): void {
    this.segment.end();
  }

  private executionSpan(): Traceparent {
    return executionSpan(this.context.traceId, this.first.executionId, this.context.sampled);
  }

  private runSpan(key: ActivationKey): Traceparent {
    const spanId = digest(`argosy run ${activationId(this.first.executionId, key)}`).slice(0, 16);
    return formatTraceparent({ ...this.context, spanId });
  }
}

/** The trace of the request that started the execution, else one computed from the execution's id. */
function contextOf({ traceparent, executionId }: ClaimedActivation): TraceContext {
  return parseTraceparent(traceparent) ?? { traceId: digest(`argosy trace ${executionId}`).slice(0, 32), spanId: '', sampled: true };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
