import type { Instant, Item, JsonObject } from '@app/engine';

/** Items for one output: given as they are, or as the concatenation of a list the node has been appending to. */
export type OutputPayload = readonly Item[] | ListPayload;

export interface ListPayload {
  readonly list: string;
}

export type NodeResult =
  /** Items by output. `outputs: null` says "nothing at all": the run is not recorded and has no successors. */
  | { readonly kind: 'items'; readonly outputs: readonly (OutputPayload | null)[] | null }
  /**
   * The branch parks. `until: null` waits for a signal named `key` alone; with both, whichever comes first.
   * The run completes with the payload of the signal, or else with the node's input, on output 0.
   */
  | { readonly kind: 'suspend'; readonly key: string; readonly wait: 'time' | 'callback' | 'human'; readonly until: Instant | null }
  /**
   * Other workflows are started as executions of their own. With `wait` the branch parks until all have ended and the
   * node then runs again with `context.children` filled; without it the input passes through at once.
   */
  | { readonly kind: 'call'; readonly calls: readonly ChildCall[]; readonly wait: boolean };

export interface ChildCall {
  /** A stored workflow by id, or a document. */
  readonly workflow: { readonly id: string } | { readonly document: JsonObject };
  readonly items: readonly Item[];
}

/** How a child execution ended, as the calling node sees it when it runs again. */
export interface ChildEnd {
  readonly executionId: string;
  readonly workflowId: string;
  readonly status: 'success' | 'error' | 'canceled';
  /**
   * Items by output of the child's last node (see n8n-engine.md §13 for which runs count). `pairedItem` of each leads
   * to the item of the call it descends from, as far as that is known; else it is absent.
   */
  readonly outputs: readonly (readonly Item[] | null)[];
  readonly error?: { readonly message: string; readonly name?: string };
}
