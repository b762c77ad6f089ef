import type { Json, JsonObject } from './json.ts';

/**
 * What a compiler must know of a node type without running it. The catalogue of libs/nodes provides it; dialects
 * take it as a port, since no lib may import another one sideways.
 */
export interface NodeDescription {
  /** Full type name, for instance `n8n-nodes-base.set`. */
  readonly type: string;
  readonly displayName: string;
  readonly versions: readonly number[];
  /**
   * How the type can begin an execution. `active`: it has a trigger or poll function and is preferred as the start of
   * a manual run. `passive`: it starts by being called (webhook, form). null: not a trigger.
   */
  readonly trigger: 'active' | 'passive' | 'manual' | null;
  /** Number of main inputs and outputs declared for these parameters (an error output is not counted). */
  inputs(version: number, parameters: JsonObject): number;
  outputs(version: number, parameters: JsonObject): number;
  /**
   * What must be there before a node that waits for several inputs may run with some of them missing: at least n of
   * them, or those with these indexes. undefined: anything will do.
   */
  requiredInputs?(version: number, parameters: JsonObject): number | readonly number[] | undefined;
  readonly properties: readonly PropertyDescription[];
  readonly credentials?: readonly { readonly name: string; readonly required?: boolean; readonly displayOptions?: DisplayOptions }[];
  /** True: a note on the canvas, never part of the program. */
  readonly annotation?: boolean;
  /** True: the node works on references and its input items are not loaded for it. */
  readonly lazyInput?: boolean;
  /** True: the node keeps a memory within the execution (`context.state`), which is loaded before it runs. */
  readonly usesState?: boolean;
  /** True: the node reads or changes the workflow's static data by itself. */
  readonly usesStaticData?: boolean;
}

export interface DisplayOptions {
  readonly show?: { readonly [key: string]: readonly Json[] };
  readonly hide?: { readonly [key: string]: readonly Json[] };
}

export interface PropertyDescription {
  readonly name: string;
  readonly type: string;
  readonly default: Json;
  readonly required?: boolean;
  readonly displayOptions?: DisplayOptions;
  /** Choices (`{name, value}`), members of a collection, or groups of a fixedCollection (`{name, values}`). */
  readonly options?: readonly (PropertyDescription | { readonly name: string; readonly value: Json } | { readonly name: string; readonly values: readonly PropertyDescription[] })[];
  readonly typeOptions?: { readonly multipleValues?: boolean; readonly [key: string]: Json };
}

/** Finds the description of a node type; undefined when the type or the version is not carried. */
export interface NodeDescriptions {
  describe(type: string, version: number): NodeDescription | undefined;
}
