export { catalogue, NodeCatalogue, UnknownNodeType } from './catalogue.ts';
export type { NodeType } from './node-type.ts';
export type { ChildCall, ChildEnd, ListPayload, NodeResult, OutputPayload } from './node-result.ts';
export type { CodeRequest, CodeResult, ExecutionMode, NodeContext } from './node-context.ts';
export { messageOf, NodeApiError, NodeError, type NodeErrorDetails } from './node-error.ts';
export { missingRequired, normaliseParameters, type MissingParameter, type ParameterizedNode } from './parameters/resolve-properties.ts';
export { tickItem } from './triggers/schedule-trigger.ts';
export { programIssues } from './program-issues.ts';
