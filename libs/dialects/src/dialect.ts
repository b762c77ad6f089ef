import type { JsonObject, NodeDescriptions, Problem, Program } from '@app/engine';

/** What a document may ask of the compiler beyond its own text. */
export interface CompileOptions {
  readonly nodes: NodeDescriptions;
  /** Overrides what the document says; absent: its own setting, else `auto`. */
  readonly scheduling?: 'auto' | 'serial' | 'parallel';
  /** Compatibility switches (see docs/n8n.md); absent: our defaults. */
  readonly switches?: { readonly thrownErrorOutput?: 'error' | 'main'; readonly missingExecutionOrder?: 'v1' | 'v0'; readonly drainAfterNull?: boolean };
}

export interface Compiled {
  /** null when a problem of severity `error` stands in the way. */
  readonly program: Program | null;
  /** All that is wrong with the document, at once. */
  readonly problems: readonly Problem[];
}

/** How an execution of a program may be started. */
export interface StartRequest {
  readonly mode: string;
  /** Start node by name; absent: the dialect chooses. */
  readonly node?: string;
  /** Run only up to this node. */
  readonly destination?: string;
}

export type Start = { readonly kind: 'start'; readonly nodes: readonly number[]; readonly options: JsonObject } | { readonly kind: 'refused'; readonly problem: Problem };

/** One graph language. Stateless; `compile` never throws on any input. */
export interface Dialect {
  readonly name: string;
  /** Whether a parsed document looks like one of this dialect's. */
  recognise(document: unknown): boolean;
  compile(document: unknown, options: CompileOptions): Compiled;
  start(program: Program, document: JsonObject, request: StartRequest, options: CompileOptions): Start;
}
