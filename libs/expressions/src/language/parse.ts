import { Parser } from 'acorn';
import type { Expression } from 'acorn';
import { SyntaxProblem } from './unit.ts';

/** One expression; statements are refused. A semicolon at the end is forgiven. */
export function parseExpression(code: string): Expression {
  let program;
  try {
    // The line break ends a comment at the end of the code.
    program = Parser.parse(`(${code.replace(/;\s*$/, '')}\n)`, { ecmaVersion: 'latest', sourceType: 'script' });
  } catch (error) {
    throw new SyntaxProblem(error instanceof Error ? error.message.replace(/ \(\d+:\d+\)$/, '') : String(error));
  }
  const [statement] = program.body;
  if (program.body.length !== 1 || statement?.type !== 'ExpressionStatement') throw new SyntaxProblem('this is no single expression');
  return statement.expression;
}
