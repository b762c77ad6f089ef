import type { Instant, Item, Json, JsonObject, Source } from '@app/engine';
import type { ChildEnd } from './node-result.ts';

export type ExecutionMode = 'manual' | 'trigger' | 'webhook' | 'error' | 'integrated' | 'retry' | 'cli' | 'internal' | 'evaluation' | 'chat';

/** Everything a node may see of the world while it runs. Built by the worker for one activation. */
export interface NodeContext {
  readonly node: {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly version: number;
    /** As in the document: expressions unresolved, defaults missing. */
    readonly rawParameters: JsonObject;
  };
  readonly workflow: { readonly id: string; readonly name: string; readonly active: boolean; readonly timezone: string };
  readonly execution: { readonly id: string; readonly mode: ExecutionMode };
  /** How often this node has run before in this execution (in this scope). */
  readonly runIndex: number;
  /** 1 for the first try of this run. */
  readonly attempt: number;

  /**
   * Items of a main input, the node's own copy; [] when nothing arrived. Not loaded for `lazyInput` types. Each comes
   * paired with its own position, `{item, input}`; what it was paired with before is not visible.
   */
  items(input?: number): Item[];
  /** All main inputs by index; null where nothing arrived. */
  inputs(): (Item[] | null)[];
  /** How many items an input has, known without loading them. */
  inputCount(input?: number): number;
  /** Where the items of an input came from. */
  source(input?: number): Source | null;

  /**
   * A parameter with its expressions resolved for one item. `name` may be a dotted path, with [n] for list elements.
   * Missing (and no default in the description): `fallback`, else undefined. Throws the expression's error when it
   * has one. Whole objects and lists are resolved recursively.
   */
  parameter<T = Json>(name: string, itemIndex: number, fallback?: NoInfer<T>): T;
  /** The same without resolving expressions. */
  rawParameter<T = Json>(name: string, fallback?: NoInfer<T>): T;
  /** Resolves an expression text (`=…`) for one item, with extra variables in reach (`$response`, …). */
  evaluate(expression: string, itemIndex: number, variables?: JsonObject): Promise<Json>;

  /** Runs JavaScript of the workflow's author in the sandbox. */
  runCode(request: CodeRequest): Promise<CodeResult>;

  /** True when the node's error mode is one of the two that continue: failing items become error items. */
  readonly continueOnFail: boolean;

  /** This node's memory within the execution (`context` in expressions). Changes are committed with the run. */
  readonly state: JsonObject;
  /** The workflow's memory across executions; changes are merged when the run commits. */
  staticData(scope: 'global' | 'node'): JsonObject;
  /** Appends the items of an input, by reference, to a list of this node; they can be emitted later as `{list}`. */
  appendInput(list: string, input?: number): void;
  /** Remembers an input by reference in `state[key]`, so that `readSlice` can read it in later runs. */
  rememberInput(key: string, input?: number): void;
  /** Items `from` (inclusive) to `to` (exclusive) of a remembered input. */
  readSlice(key: string, from: number, to: number): Promise<Item[]>;

  /** Ended child executions, when the node runs again after `kind: 'call'`; else null. */
  readonly children: readonly ChildEnd[] | null;

  /** Searchable data of the execution; key up to 50 characters, value up to 512. */
  setCustomData(key: string, value: string): void;
  /** Decrypted data of the credential of this type that the node names. Throws when there is none. */
  credentials(type: string): Promise<JsonObject>;
  /** Aborted when the node is to stop: its time is over, the execution was canceled, the worker ends. */
  readonly signal: AbortSignal;
  /** When the activation must be over, by the store's clock. */
  readonly deadline: Instant;
  /** The store's time. */
  now(): Instant;
  /** Stable over retries of this run; for the idempotency header of an outside system. */
  idempotencyKey(itemIndex: number): string;
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string): void;
}

export interface CodeRequest {
  readonly code: string;
  /** `all`: once, with all items; `each`: once per item; `legacy`: Function node; `legacyItem`: Function Item node. */
  readonly mode: 'all' | 'each' | 'legacy' | 'legacyItem';
}

export interface CodeResult {
  /** What the code returned, as plain JSON values: one value for `all` and `legacy`, one per item for the others. */
  readonly results: readonly { readonly value?: Json; readonly error?: { readonly message: string; readonly name?: string; readonly line?: number; readonly description?: string } }[];
  readonly logs: readonly string[];
}
