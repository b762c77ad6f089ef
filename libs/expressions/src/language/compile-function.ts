import type { ArrowFunctionExpression, FunctionDeclaration, FunctionExpression } from 'acorn';
import { compilePattern, declarePattern } from './compile-pattern.ts';
import type { Bind } from './compile-pattern.ts';
import { compileStatements, Returned } from './compile-statement.ts';
import { Frame, Scope } from './frame.ts';
import type { Run } from './frame.ts';
import { allow } from './guards.ts';
import type { Unit } from './unit.ts';
import { unsupported } from './unit.ts';

export type FunctionNode = ArrowFunctionExpression | FunctionExpression | FunctionDeclaration;

export function compileFunction(node: FunctionNode, outer: Scope, unit: Unit): Run {
  if (node.async || node.generator) throw unsupported('An async function or a generator');
  unit.uncertain = true;
  const literals = unit.objectLiterals;
  unit.objectLiterals = 0;
  const scope = new Scope(outer, true);
  const selfPosition = node.type === 'FunctionExpression' && node.id ? scope.declare(node.id.name) : -1;
  const parameters = node.params.map((pattern) => {
    declarePattern(pattern, scope);
    return pattern;
  });
  const binds = parameters.map((pattern) => {
    const isRest = pattern.type === 'RestElement';
    return {
      isRest,
      position: pattern.type === 'Identifier' ? scope.declare(pattern.name) : -1,
      bind: compilePattern(isRest ? pattern.argument : pattern, scope, unit),
    };
  });
  const body = compileBody(node, scope, unit);
  unit.objectLiterals = literals;

  return (frame) => {
    const fn = (...args: unknown[]): unknown => {
      frame.evaluation.charge(1);
      const local = new Frame(frame.evaluation, frame, []);
      if (selfPosition !== -1) local.values[selfPosition] = fn;
      bindArguments(binds, local, args);
      return body(local);
    };
    if (frame.evaluation.guarded) allow(fn);
    return fn;
  };
}

function bindArguments(
  binds: readonly { readonly isRest: boolean; readonly position: number; readonly bind: Bind }[],
  local: Frame,
  args: unknown[],
): void {
  for (let index = 0; index < binds.length; index++) {
    const { isRest, position, bind } = binds[index]!;
    if (position !== -1) local.values[position] = args[index];
    else bind(local, isRest ? local.evaluation.made(args.slice(index)) : args[index]);
  }
}

function compileBody(node: FunctionNode, scope: Scope, unit: Unit): Run {
  if (node.body.type !== 'BlockStatement') return unit.compile(node.body, scope);
  const run = compileStatements(node.body.body, scope, unit);
  return (frame) => {
    const completion = run(frame);
    return completion instanceof Returned ? completion.value : undefined;
  };
}
