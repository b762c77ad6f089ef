import type { Instant, Item, Json, JsonObject, Source } from '@app/engine';

/** One run of a node, as far as expressions may look at it. */
export interface NodeRun {
  /** Items per main output; null where nothing was emitted. */
  readonly outputs: readonly (readonly Item[] | null)[];
  /** Where each main input came from. */
  readonly sources: readonly (Source | null)[];
}

export interface NodeRuns {
  readonly count: number;
  /** Undefined when the index is out of range. */
  run(index: number): NodeRun | undefined;
}

/**
 * Everything an evaluation may read, without waiting: whoever provides it has loaded it before. `referencesOf` says
 * which nodes that are. Nothing in it is ever written to.
 */
export interface ExecutionData {
  readonly node: {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly version: number;
    readonly rawParameters: JsonObject;
    readonly webhookId?: string;
    readonly position?: readonly number[];
  };
  readonly workflow: { readonly id: string; readonly name: string; readonly active: boolean; readonly timezone: string };
  readonly execution: {
    readonly id: string;
    /** `manual` and `evaluation` show as `test`, everything else as `production`. */
    readonly mode: string;
    readonly resumeUrl: string;
    readonly resumeFormUrl: string;
  };
  readonly runIndex: number;
  readonly inputs: readonly (readonly Item[] | null)[];
  readonly inputSources: readonly (Source | null)[];
  /** The input that `$json` and `$input` read. Absent: the first with items, else the first. */
  readonly currentInput?: number;

  /** Undefined when the node has not run. */
  runsOf(nodeName: string): NodeRuns | undefined;
  hasNode(nodeName: string): boolean;
  /** As stored: expressions unresolved. */
  parametersOf(nodeName: string): JsonObject | undefined;
  /** The node's memory within the execution; {} when it has none. */
  contextOf(nodeName: string): JsonObject;
  isAncestor(nodeName: string): boolean;
  /** Index of the output through which that node reaches the current one (breadth-first), else 0. */
  outputTowards(nodeName: string): number;

  readonly vars: JsonObject;
  /** Environment variables that expressions may read. Null: access is denied. */
  readonly env: Readonly<Record<string, string>> | null;
  readonly customData: Readonly<Record<string, string>>;
  readonly staticData: { readonly global: JsonObject; readonly node: JsonObject };
  /** The store's time: `$now` and `new Date()` of one activation agree over all workers. */
  readonly now: Instant;
}

/** Abilities that differ between the process and the sandbox. */
export interface Platform {
  /** Hexadecimal digest of the UTF-8 text. The algorithm is one of those the language offers. */
  hash(algorithm: string, text: string): string;
}

export type Variables = Readonly<Record<string, Json | undefined>>;
