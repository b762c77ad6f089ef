import type { NodeDescription } from '@app/engine';
import type { NodeContext } from './node-context.ts';
import type { NodeResult } from './node-result.ts';

/**
 * One kind of node. An instance is shared by all activations of the process, so nothing may be kept on it.
 *
 * `run` may throw anything; the worker turns it into an error of the node and the engine decides on retries and on
 * the node's error mode. It must honour `context.signal`.
 */
export interface NodeType {
  readonly description: NodeDescription;
  run(context: NodeContext): Promise<NodeResult> | NodeResult;
}
