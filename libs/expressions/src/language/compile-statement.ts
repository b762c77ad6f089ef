import type {
  BlockStatement,
  ForInStatement,
  ForOfStatement,
  ForStatement,
  Pattern,
  Statement,
  SwitchStatement,
  TryStatement,
  VariableDeclaration,
} from 'acorn';
import { ExpressionError } from '../errors.ts';
import { compilePattern, declarePattern } from './compile-pattern.ts';
import { MissingLink, NEEDS_SANDBOX } from './evaluation.ts';
import { Frame, Scope } from './frame.ts';
import type { Unit } from './unit.ts';
import { unsupported } from './unit.ts';

/** How a statement ended, where it was not simply its end. */
export class Returned {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}
const BREAK = Symbol('break');
const CONTINUE = Symbol('continue');
type Completion = undefined | Returned | typeof BREAK | typeof CONTINUE;
type Execute = (frame: Frame) => Completion;

/** Statements that share a scope which exists already (the body of a function). Functions and `var` are known from the start. */
export function compileStatements(statements: readonly Statement[], scope: Scope, unit: Unit): Execute {
  for (const statement of statements) declareStatement(statement, scope);
  const hoisted = statements
    .filter((statement) => statement.type === 'FunctionDeclaration')
    .map((statement) => compileStatement(statement, scope, unit));
  const rest = statements
    .filter((statement) => statement.type !== 'FunctionDeclaration')
    .map((statement) => compileStatement(statement, scope, unit));
  const steps = [...hoisted, ...rest];
  return (frame) => {
    for (const step of steps) {
      const completion = step(frame);
      if (completion !== undefined) return completion;
    }
    return undefined;
  };
}

function declareStatement(statement: Statement, scope: Scope): void {
  if (statement.type === 'FunctionDeclaration') scope.declare(statement.id.name);
  if (statement.type === 'VariableDeclaration') declareVariables(statement, scope);
}

function declareVariables(node: VariableDeclaration, scope: Scope): void {
  const home = node.kind === 'var' ? scope.functionScope() : scope;
  for (const declarator of node.declarations) declarePattern(declarator.id, home);
}

function compileStatement(node: Statement, scope: Scope, unit: Unit): Execute {
  switch (node.type) {
    case 'ExpressionStatement': {
      const run = unit.compile(node.expression, scope);
      return (frame) => void run(frame);
    }
    case 'VariableDeclaration':
      return compileVariables(node, scope, unit);
    case 'FunctionDeclaration': {
      const make = unit.compile(node, scope);
      const position = scope.declare(node.id.name);
      return (frame) => void (frame.values[position] = make(frame));
    }
    case 'ReturnStatement': {
      const run = node.argument ? unit.compile(node.argument, scope) : () => undefined;
      return (frame) => new Returned(run(frame));
    }
    case 'IfStatement': {
      const test = unit.compile(node.test, scope);
      const then = compileStatement(node.consequent, scope, unit);
      const otherwise = node.alternate ? compileStatement(node.alternate, scope, unit) : () => undefined;
      return (frame) => (test(frame) ? then(frame) : otherwise(frame));
    }
    case 'BlockStatement':
      return compileBlock(node, scope, unit);
    case 'ThrowStatement': {
      const run = unit.compile(node.argument, scope);
      return (frame) => {
        throw run(frame);
      };
    }
    case 'BreakStatement':
    case 'ContinueStatement':
      if (node.label) throw unsupported('A label');
      return () => (node.type === 'BreakStatement' ? BREAK : CONTINUE);
    case 'ForStatement':
      return compileFor(node, scope, unit);
    case 'ForOfStatement':
    case 'ForInStatement':
      return compileForEach(node, scope, unit);
    case 'WhileStatement': {
      const test = unit.compile(node.test, scope);
      return loop(test, compileStatement(node.body, scope, unit), false);
    }
    case 'DoWhileStatement': {
      const test = unit.compile(node.test, scope);
      return loop(test, compileStatement(node.body, scope, unit), true);
    }
    case 'TryStatement':
      return compileTry(node, scope, unit);
    case 'SwitchStatement':
      return compileSwitch(node, scope, unit);
    case 'EmptyStatement':
      return () => undefined;
    default:
      throw unsupported(`The statement ${node.type}`);
  }
}

function compileVariables(node: VariableDeclaration, scope: Scope, unit: Unit): Execute {
  declareVariables(node, scope);
  const parts = node.declarations.map((declarator) => {
    const run = declarator.init ? unit.compile(declarator.init, scope) : undefined;
    const bind = compilePattern(declarator.id, scope, unit);
    return { run, bind };
  });
  return (frame) => {
    for (const { run, bind } of parts) {
      if (run) bind(frame, run(frame));
      else if (node.kind !== 'var') bind(frame, undefined);
    }
    return undefined;
  };
}

function compileBlock(node: BlockStatement, outer: Scope, unit: Unit): Execute {
  const scope = new Scope(outer, false);
  const run = compileStatements(node.body, scope, unit);
  return (frame) => run(new Frame(frame.evaluation, frame, []));
}

function loop(test: (frame: Frame) => unknown, body: Execute, bodyFirst: boolean): Execute {
  return (frame) => {
    for (let isFirst = true; (isFirst && bodyFirst) || test(frame); isFirst = false) {
      frame.evaluation.charge(1);
      const completion = body(frame);
      if (completion === BREAK) break;
      if (completion instanceof Returned) return completion;
    }
    return undefined;
  };
}

function compileFor(node: ForStatement, outer: Scope, unit: Unit): Execute {
  const scope = new Scope(outer, false);
  const init = !node.init
    ? () => undefined
    : node.init.type === 'VariableDeclaration'
      ? compileVariables(node.init, scope, unit)
      : unit.compile(node.init, scope);
  const test = node.test ? unit.compile(node.test, scope) : () => true;
  const update = node.update ? unit.compile(node.update, scope) : () => undefined;
  const body = compileStatement(node.body, scope, unit);
  return (frame) => {
    let local = new Frame(frame.evaluation, frame, []);
    for (init(local); test(local); update(local)) {
      frame.evaluation.charge(1);
      const completion = body(local);
      if (completion === BREAK) break;
      if (completion instanceof Returned) return completion;
      // Each round has variables of its own: functions made in it keep theirs.
      local = new Frame(frame.evaluation, frame, [...local.values]);
    }
    return undefined;
  };
}

function compileForEach(node: ForOfStatement | ForInStatement, outer: Scope, unit: Unit): Execute {
  if (node.type === 'ForOfStatement' && node.await) throw unsupported('for await');
  const scope = new Scope(outer, false);
  if (node.left.type === 'VariableDeclaration') declareVariables(node.left, scope);
  const pattern: Pattern = node.left.type === 'VariableDeclaration' ? node.left.declarations[0]!.id : node.left;
  const bind = compilePattern(pattern, scope, unit);
  const right = unit.compile(node.right, outer);
  const body = compileStatement(node.body, scope, unit);
  const isOf = node.type === 'ForOfStatement';
  return (frame) => {
    const values = right(frame);
    if (isOf && (values === null || values === undefined)) throw new MissingLink(`${values} is not iterable`);
    const list: Iterable<unknown> = isOf
      ? (values as Iterable<unknown>)
      : values === null || values === undefined
        ? []
        : Object.keys(values);
    for (const value of list) {
      frame.evaluation.charge(1);
      const local = new Frame(frame.evaluation, frame, []);
      bind(local, value);
      const completion = body(local);
      if (completion === BREAK) break;
      if (completion instanceof Returned) return completion;
    }
    return undefined;
  };
}

function compileTry(node: TryStatement, outer: Scope, unit: Unit): Execute {
  const block = compileBlock(node.block, outer, unit);
  const scope = new Scope(outer, false);
  if (node.handler?.param) declarePattern(node.handler.param, scope);
  const bind = node.handler?.param ? compilePattern(node.handler.param, scope, unit) : () => undefined;
  const handler = node.handler ? compileBlock(node.handler.body, scope, unit) : undefined;
  const finalizer = node.finalizer ? compileBlock(node.finalizer, outer, unit) : undefined;
  return (frame) => {
    let completion: Completion;
    try {
      completion = block(frame);
    } catch (error) {
      // The way into the sandbox must not be caught, and neither must what the author has to see.
      if (!handler || error === NEEDS_SANDBOX || error instanceof ExpressionError) throw error;
      const local = new Frame(frame.evaluation, frame, []);
      bind(local, error instanceof MissingLink ? error.toError() : error);
      completion = handler(local);
    } finally {
      if (finalizer) completion = finalizer(frame) ?? completion!;
    }
    return completion;
  };
}

function compileSwitch(node: SwitchStatement, outer: Scope, unit: Unit): Execute {
  const scope = new Scope(outer, false);
  const subject = unit.compile(node.discriminant, outer);
  const cases = node.cases.map((one) => ({
    test: one.test ? unit.compile(one.test, scope) : undefined,
    run: compileStatements(one.consequent, scope, unit),
  }));
  return (frame) => {
    const value = subject(frame);
    const local = new Frame(frame.evaluation, frame, []);
    let start = cases.findIndex(({ test }) => test !== undefined && test(local) === value);
    if (start === -1) start = cases.findIndex(({ test }) => test === undefined);
    if (start === -1) return undefined;
    for (const { run } of cases.slice(start)) {
      const completion = run(local);
      if (completion === BREAK) return undefined;
      if (completion !== undefined) return completion;
    }
    return undefined;
  };
}
