import type { Json } from '@app/engine';
import { compileExpression } from './compile-expression.ts';
import type { CompiledExpression } from './compile-expression.ts';
import { joinReferences } from './references.ts';
import type { References } from './references.ts';

/** What a parameter tree needs, found once for as long as the tree lives: programs are cached and frozen. */
export interface ParameterPlan {
  readonly references: References;
  /** Expressions that must be tried before a node reads them. */
  readonly ahead: readonly CompiledExpression[];
}

const plans = new WeakMap<object, ParameterPlan>();
const literals = new WeakMap<object, boolean>();
const NOTHING: ParameterPlan = Object.freeze({ references: joinReferences([]), ahead: [] });

export function planOf(parameters: Json): ParameterPlan {
  if (typeof parameters === 'string') return planOfTexts([parameters]);
  if (typeof parameters !== 'object' || parameters === null) return NOTHING;
  let plan = plans.get(parameters);
  if (!plan) {
    plan = planOfTexts(expressionsIn(parameters, []));
    plans.set(parameters, plan);
  }
  return plan;
}

/** Which nodes the expressions of a parameter tree may look at. */
export function referencesOf(parameters: Json): References {
  return planOf(parameters).references;
}

/** True when nothing in the tree is an expression, so that it stands for itself. */
export function isLiteral(value: Json): boolean {
  if (typeof value === 'string') return !value.startsWith('=');
  if (typeof value !== 'object' || value === null) return true;
  let known = literals.get(value);
  if (known === undefined) {
    known = expressionsIn(value, []).length === 0;
    literals.set(value, known);
  }
  return known;
}

function planOfTexts(texts: readonly string[]): ParameterPlan {
  const compiled = [...new Set(texts)].filter((text) => text.startsWith('=')).map(compileExpression);
  if (compiled.length === 0) return NOTHING;
  return {
    references: joinReferences(compiled.map(({ references }) => references)),
    ahead: compiled.filter(({ kind }) => kind === 'sandbox'),
  };
}

function expressionsIn(value: Json, found: string[]): string[] {
  if (typeof value === 'string') {
    if (value.startsWith('=')) found.push(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value) as Json[]) expressionsIn(part, found);
  }
  return found;
}
