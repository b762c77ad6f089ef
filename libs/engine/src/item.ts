import type { Json, JsonObject } from './json.ts';

/** Where a run's items came from: the run before it and the port they left by. */
export interface Source {
  readonly previousNode: string;
  readonly previousNodeOutput: number;
  readonly previousNodeRun: number;
}

export interface PairedItem {
  readonly item: number;
  /** Index of the input the item came from; 0 when absent. */
  readonly input?: number;
  /** The run to continue the walk in, where it is not the one the item arrived from (batches of a loop). */
  readonly sourceOverwrite?: Source;
}

export type Pairing = number | PairedItem | readonly (number | PairedItem)[];

export interface BinaryValue {
  readonly mimeType: string;
  /** Base64, or empty when `id` names a stored object. */
  readonly data: string;
  readonly id?: string;
  readonly fileName?: string;
  readonly fileExtension?: string;
  readonly fileType?: string;
  readonly fileSize?: string;
  readonly bytes?: number;
  readonly directory?: string;
}

/** One element of what travels on an edge. */
export interface Item {
  json: JsonObject;
  binary?: { [key: string]: BinaryValue };
  pairedItem?: Pairing;
  error?: ErrorShape;
}

/** An error as data: what is stored, shown and handed to an error workflow. */
export interface ErrorShape {
  readonly message: string;
  readonly name?: string;
  readonly description?: string | null;
  /** The node that failed, by name. */
  readonly node?: string;
  readonly itemIndex?: number;
  readonly runIndex?: number;
  /** Stable, for programs: `node_failed`, `lease_lost`, `timeout`, … */
  readonly code?: string;
  /** False: trying again cannot help. Absent: unknown, so it may. */
  readonly retryable?: boolean;
  readonly stack?: string;
  readonly context?: { readonly [key: string]: Json };
}
