import type { ErrorShape, Item } from './item.ts';
import type { Json } from './json.ts';
import type { OutputRef, Suspension } from './activation.ts';

/** What one port of a run carries. Exactly one of the three payloads, or none for a bare control signal. */
export interface PortOutput {
  readonly port: number;
  readonly count: number;
  /** Items to be written. Opaque to the scheduler. */
  readonly items?: readonly Item[];
  /** Items that exist already: the run passes them on. */
  readonly ref?: OutputRef;
  /** The first `count` items of a list the node has been appending to. */
  readonly list?: string;
  /** Instead: everything in the first `entries` places of the list; some may be empty, and one may hold several items. */
  readonly entries?: number;
}

/** Anything a run may ask for besides taking ports. */
export type Effect =
  /** Writes a value of a node's memory. `scope` is left out: the scope of the activation. */
  | { readonly kind: 'setCell'; readonly node: number; readonly name: string; readonly value: Json }
  | { readonly kind: 'setVar'; readonly name: string; readonly value: Json }
  /** Appends what lies on an input to a list of the node, by reference. */
  | { readonly kind: 'append'; readonly list: string; readonly input: number }
  /** Ends the iterations of the region that the activation is in. */
  | { readonly kind: 'break' }
  /** Ends the execution successfully; no further activation starts. */
  | { readonly kind: 'halt' }
  /** What a region's driver asked for: the number of iterations, whether there is another one, or the branches to take. */
  | { readonly kind: 'enter'; readonly count: number; readonly branches?: readonly number[] }
  | { readonly kind: 'continue'; readonly again: boolean }
  /** A piece of an answer, journalled with the run and never scheduled. */
  | { readonly kind: 'stream'; readonly chunk: string }
  /** Runs a node over a resource edge; the activation suspends until it has settled. */
  | { readonly kind: 'invoke'; readonly node: number; readonly arguments: Json };

/** What running a node produced. */
export type Outcome =
  | {
      readonly kind: 'done';
      readonly outputs: readonly PortOutput[];
      readonly effects: readonly Effect[];
      /** The run returned nothing at all: it leaves no trace in the history. */
      readonly void?: boolean;
      /** The items say that it failed: counts as a failed try where the retry policy says so. */
      readonly softFailure?: boolean;
    }
  | {
      readonly kind: 'failed';
      readonly error: ErrorShape;
      /** Outputs to go on with when the node's error policy is `continue`. */
      readonly fallback?: readonly PortOutput[];
      readonly effects?: readonly Effect[];
      /** The process died under it, as often as the policy allows: no further try. */
      readonly final?: boolean;
    }
  | { readonly kind: 'suspended'; readonly suspension: Suspension; readonly effects: readonly Effect[] };

export function done(outputs: readonly PortOutput[], effects: readonly Effect[] = []): Outcome {
  return { kind: 'done', outputs, effects };
}

export function failed(error: ErrorShape): Outcome {
  return { kind: 'failed', error };
}
