import type { Json, JsonObject } from '@app/engine';
import { compileExpression } from './compile-expression.ts';
import type { CompiledExpression, ExpressionKind } from './compile-expression.ts';
import { ExpressionError } from './errors.ts';
import type { ExecutionData, Variables } from './execution-data.ts';
import { Evaluation, FRUGAL, GENEROUS, NEEDS_SANDBOX } from './language/evaluation.ts';
import { View } from './n8n/view.ts';
import { isLiteral, planOf } from './parameter-plan.ts';
import { valueAt } from './parameter-path.ts';
import { nodePlatform } from './platform.ts';
import type { EvaluationRequest, EvaluationResult, Sandbox } from './sandbox/sandbox.ts';

/**
 * Resolves the parameters of one activation. `prepare` first, once; after that reading is synchronous. What an
 * expression throws is thrown when, and each time, its parameter is read.
 */
export class ParameterResolver {
  readonly #data: ExecutionData;
  readonly #parameters: JsonObject;
  readonly #sandbox: Sandbox;
  readonly #view: View;
  /** By text, then item: what was found ahead of time. */
  readonly #prepared = new Map<string, EvaluationResult[]>();
  #current: Evaluation;

  constructor(options: { readonly data: ExecutionData; readonly parameters: JsonObject; readonly sandbox: Sandbox }) {
    this.#data = options.data;
    this.#parameters = options.parameters;
    this.#sandbox = options.sandbox;
    this.#view = viewOf(options.data);
    this.#current = this.#evaluation('fast', 0);
  }

  /** Tries the expressions that may need the sandbox, for all items, and gives it those that do in one batch. */
  async prepare(itemCount: number): Promise<void> {
    const { ahead } = planOf(this.#parameters);
    if (ahead.length === 0) return;
    const left: (EvaluationRequest & { readonly into: EvaluationResult[] })[] = [];
    for (const compiled of ahead) {
      const results: EvaluationResult[] = [];
      this.#prepared.set(compiled.text, results);
      // Reading item 0 of an empty input is common: parameters of the node as a whole.
      for (let itemIndex = 0; itemIndex < Math.max(itemCount, 1); itemIndex++) {
        const result = tryFast(compiled, this.#evaluation(compiled.kind, itemIndex));
        if (result) results[itemIndex] = result;
        else left.push({ text: compiled.text, itemIndex, into: results });
      }
    }
    if (left.length === 0) return;
    const results = await this.#sandbox.evaluateMany(left, this.#data);
    left.forEach(({ into, itemIndex }, index) => {
      into[itemIndex] = results[index]!;
    });
  }

  /** The parameter with its expressions resolved, undefined when it is missing. Throws the expression's error. */
  get(path: string, itemIndex: number): Json {
    return this.#resolve(valueAt(this.#parameters, path), itemIndex);
  }

  /** The parameter as in the document. */
  raw(path: string): Json {
    return valueAt(this.#parameters, path);
  }

  /** Any value resolved for an item, as `get` does it: values of objects and lists recursively, never keys. */
  resolve(value: Json, itemIndex: number): Json {
    return this.#resolve(value, itemIndex);
  }

  /** Resolves a text that need not be a parameter, with more variables in reach. */
  async evaluate(text: string, itemIndex: number, variables?: Variables): Promise<Json> {
    const compiled = compileExpression(text);
    const result = tryFast(compiled, this.#evaluation(compiled.kind, itemIndex, variables));
    if (result) return valueOf(result);
    const [evaluated] = await this.#sandbox.evaluateMany([{ text, itemIndex, variables }], this.#data);
    return valueOf(evaluated!);
  }

  #evaluation(kind: ExpressionKind, itemIndex: number, variables?: Variables): Evaluation {
    return new Evaluation(this.#view, itemIndex, variables, true, kind === 'sandbox' ? FRUGAL : GENEROUS);
  }

  #resolve(value: Json, itemIndex: number): Json {
    if (typeof value === 'string') return value.charCodeAt(0) === EQUALS ? this.#read(value, itemIndex) : value;
    if (typeof value !== 'object' || value === null || isLiteral(value)) return value;
    if (Array.isArray(value)) return value.map((part: Json) => this.#resolve(part, itemIndex));
    const result: JsonObject = {};
    for (const [key, part] of Object.entries(value as JsonObject)) result[key] = this.#resolve(part, itemIndex);
    return result;
  }

  #read(text: string, itemIndex: number): Json {
    const compiled = compileExpression(text);
    if (compiled.kind === 'sandbox') {
      const prepared = this.#prepared.get(text)?.[itemIndex];
      if (prepared) return valueOf(prepared);
      const result = tryFast(compiled, this.#evaluation(compiled.kind, itemIndex));
      if (result) return valueOf(result);
    } else {
      if (this.#current.itemIndex !== itemIndex) this.#current = this.#evaluation('fast', itemIndex);
      this.#current.restart();
      try {
        return compiled.run(this.#current);
      } catch (error) {
        if (error !== NEEDS_SANDBOX) throw error;
      }
    }
    throw new ExpressionError(
      'expression_too_large',
      `The expression needs more work than may be done while the node runs, for item ${itemIndex}`,
      'Move the logic to a Code node.',
    );
  }
}

const EQUALS = '='.charCodeAt(0);

function viewOf(data: ExecutionData): View {
  return new View(data, nodePlatform, (text, evaluation) => compileExpression(text).run(evaluation));
}

/** Undefined when the sandbox has to do it. */
function tryFast(compiled: CompiledExpression, evaluation: Evaluation): EvaluationResult | undefined {
  try {
    return { value: compiled.run(evaluation) };
  } catch (error) {
    if (error === NEEDS_SANDBOX) return undefined;
    if (error instanceof ExpressionError) return { error };
    throw error;
  }
}

function valueOf(result: EvaluationResult): Json {
  if (result.error) throw result.error;
  return result.value;
}
