import type { Json } from '@app/engine';
import { ExpressionError, invalidSyntax } from './errors.ts';
import { chargeText } from './language/guards.ts';
import { compileNode } from './language/compile-node.ts';
import { NEEDS_SANDBOX } from './language/evaluation.ts';
import type { Evaluation } from './language/evaluation.ts';
import { Frame, Scope } from './language/frame.ts';
import type { Run } from './language/frame.ts';
import { parseExpression } from './language/parse.ts';
import { SyntaxProblem, Unit } from './language/unit.ts';
import { noReferences } from './references.ts';
import type { References } from './references.ts';
import { toResult, toText } from './result.ts';
import { splitTemplate } from './template.ts';

/**
 * `literal`: no code in it. `fast`: never needs the sandbox. `sandbox`: may need it, which only running it shows, so it
 * is tried ahead of time. `invalid`: evaluating it throws.
 */
export type ExpressionKind = 'literal' | 'fast' | 'sandbox' | 'invalid';

export interface CompiledExpression {
  /** As in the document, with the leading `=`. */
  readonly text: string;
  readonly kind: ExpressionKind;
  readonly references: References;
  /** True when the code changes values it is given: each evaluation then needs data of its own. */
  readonly changes: boolean;
  /** Throws ExpressionError, or NEEDS_SANDBOX in a guarded evaluation. */
  run(evaluation: Evaluation): Json;
}

/** Documents are compiled again and again while a version is in use; texts made at run time must not pile up. */
const CACHE_SIZE = 5_000;
const cache = new Map<string, CompiledExpression>();

/** Compiles a parameter text. A text without a leading `=` is a literal: itself. */
export function compileExpression(text: string): CompiledExpression {
  const known = cache.get(text);
  if (known) return known;
  if (cache.size >= CACHE_SIZE) cache.clear();
  const compiled = Object.freeze(compile(text));
  cache.set(text, compiled);
  return compiled;
}

function compile(text: string): CompiledExpression {
  if (!text.startsWith('=')) return literal(text, text);
  const chunks = splitTemplate(text.slice(1));
  if (chunks.every((chunk) => chunk.kind === 'text')) return literal(text, text.slice(1));
  const unit = new Unit(compileNode);
  try {
    const runs = chunks.map((chunk) => (chunk.kind === 'text' ? chunk.text : chunkRun(chunk.code, unit)));
    const [only] = runs;
    const run = runs.length === 1 && typeof only === 'function' ? wholeValue(only) : mixedText(runs);
    return { text, kind: unit.uncertain ? 'sandbox' : 'fast', references: referencesFound(unit), changes: unit.changes, run };
  } catch (error) {
    return invalid(text, toExpressionError(text, error));
  }
}

function literal(text: string, value: string): CompiledExpression {
  return { text, kind: 'literal', references: noReferences, changes: false, run: () => value };
}

function invalid(text: string, error: ExpressionError): CompiledExpression {
  return {
    text,
    kind: 'invalid',
    references: noReferences,
    changes: false,
    run: () => {
      throw error;
    },
  };
}

function toExpressionError(text: string, error: unknown): ExpressionError {
  if (error instanceof ExpressionError) return error;
  if (error instanceof SyntaxProblem || error instanceof RangeError) return invalidSyntax(text, error.message);
  throw error;
}

function referencesFound(unit: Unit): References {
  return { nodes: unit.nodes, dynamic: unit.dynamicNodes, lineage: unit.lineage && (unit.dynamicNodes || unit.nodes.size > 0) };
}

function chunkRun(code: string, unit: Unit): Run {
  if (code.trim() === '') return () => undefined;
  return unit.compile(parseExpression(code), new Scope(undefined, true));
}

function wholeValue(run: Run): (evaluation: Evaluation) => Json {
  return (evaluation) => {
    let value: unknown;
    try {
      value = run(new Frame(evaluation, undefined, []));
    } catch (error) {
      rethrow(error);
      return undefined;
    }
    return toResult(value, evaluation);
  };
}

function mixedText(parts: readonly (string | Run)[]): (evaluation: Evaluation) => Json {
  return (evaluation) => {
    let text = '';
    for (const part of parts) text += typeof part === 'string' ? part : chunkText(part, evaluation);
    return text;
  };
}

function chunkText(run: Run, evaluation: Evaluation): string {
  try {
    const value = run(new Frame(evaluation, undefined, []));
    if (typeof value === 'object' && value !== null && evaluation.guarded) chargeText(evaluation, value);
    const text = toText(value);
    if (text.length > evaluation.longestText) throw evaluation.tooLarge();
    return text;
  } catch (error) {
    rethrow(error);
    return '';
  }
}

/** Errors of the code itself, such as a read on undefined, make the value undefined. The others are for the author. */
function rethrow(error: unknown): void {
  if (error instanceof ExpressionError || error === NEEDS_SANDBOX) throw error;
}
