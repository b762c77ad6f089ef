/** Every span and attribute of the fleet. Names under `n8n.` are those that dashboards of n8n's users already ask for. */

export const spanNames = {
  /** One per execution, with an id computed from the execution; written when it ends. */
  execution: 'workflow.execute',
  /** One per attempt at an activation; child of its segment, linked to the nodes that produced its input. */
  node: 'node.execute',
  /** What one worker did in one go for one execution: a chain of activations. Kind CONSUMER. */
  segment: 'process activations',
} as const;
export type SpanName = (typeof spanNames)[keyof typeof spanNames];

export const attributes = {
  workflowId: 'n8n.workflow.id',
  workflowName: 'n8n.workflow.name',
  workflowVersionId: 'n8n.workflow.version_id',
  workflowNodeCount: 'n8n.workflow.node_count',

  executionId: 'n8n.execution.id',
  /** manual, trigger, webhook, … */
  executionMode: 'n8n.execution.mode',
  executionStatus: 'n8n.execution.status',
  executionIsRetry: 'n8n.execution.is_retry',
  executionRetryOf: 'n8n.execution.retry_of',
  executionErrorType: 'n8n.execution.error_type',
  /** On the link of a segment that goes on after a wait: timer, webhook, form, signal. */
  continuationReason: 'n8n.continuation.reason',

  nodeId: 'n8n.node.id',
  nodeName: 'n8n.node.name',
  nodeType: 'n8n.node.type',
  nodeTypeVersion: 'n8n.node.type_version',
  /** Items over all inputs. */
  nodeItemsInput: 'n8n.node.items.input',
  /** Items over all outputs. */
  nodeItemsOutput: 'n8n.node.items.output',
  /** done, failed, suspended, canceled, lease-lost. */
  nodeTerminationReason: 'n8n.node.termination_reason',

  activationId: 'argosy.activation.id',
  activationAttempt: 'argosy.activation.attempt',
  workerId: 'argosy.worker.id',

  messagingSystem: 'messaging.system',
  messagingDestination: 'messaging.destination.name',
  messagingOperationName: 'messaging.operation.name',
  messagingOperationType: 'messaging.operation.type',
  messagingBatchCount: 'messaging.batch.message_count',
} as const;

/** Prefix of attributes that a workflow's author sets on a node's span. */
export const customNodeAttributePrefix = 'n8n.node.custom.';

/** Roles of `n8n.instance.role`. */
export type InstanceRole = 'main' | 'worker' | 'webhook';
