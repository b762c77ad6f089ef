import { NEEDS_SANDBOX } from './evaluation.ts';
import type { Frame, Run } from './frame.ts';
import { chargeText } from './guards.ts';

type Operator = (left: unknown, right: unknown) => unknown;

/* Operators coerce exactly as JavaScript does, hence the casts to any. */
/* eslint-disable @typescript-eslint/no-explicit-any, eqeqeq */
const OPERATORS: Readonly<Record<string, Operator>> = {
  '==': (a: any, b: any) => a == b,
  '!=': (a: any, b: any) => a != b,
  '<': (a: any, b: any) => a < b,
  '<=': (a: any, b: any) => a <= b,
  '>': (a: any, b: any) => a > b,
  '>=': (a: any, b: any) => a >= b,
  '+': (a: any, b: any) => a + b,
  '-': (a: any, b: any) => a - b,
  '*': (a: any, b: any) => a * b,
  '/': (a: any, b: any) => a / b,
  '%': (a: any, b: any) => a % b,
  '**': (a: any, b: any) => a ** b,
  '&': (a: any, b: any) => a & b,
  '|': (a: any, b: any) => a | b,
  '^': (a: any, b: any) => a ^ b,
  '<<': (a: any, b: any) => a << b,
  '>>': (a: any, b: any) => a >> b,
  '>>>': (a: any, b: any) => a >>> b,
  in: (a: any, b: any) => a in b,
  instanceof: (a: any, b: any) => a instanceof b,
};

/** Undefined for an operator that does not exist. */
export function operatorOf(sign: string): Operator | undefined {
  return OPERATORS[sign];
}

/** A power this high takes milliseconds; one a thousand times as high holds its thread for a minute. */
const LONGEST_SHIFT = 100_000n;

/** Both sides evaluated, then joined; values that JavaScript would turn into text are measured first. */
export function binary(sign: string, left: Run, right: Run): Run | undefined {
  if (sign === '===') return (frame) => left(frame) === right(frame);
  if (sign === '!==') return (frame) => left(frame) !== right(frame);
  const operate = OPERATORS[sign];
  if (!operate) return undefined;
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (frame.evaluation.guarded) {
      if (typeof a === 'object' && a !== null) chargeText(frame.evaluation, a);
      if (typeof b === 'object' && b !== null) chargeText(frame.evaluation, b);
      if (typeof a === 'bigint' || typeof b === 'bigint') throw NEEDS_SANDBOX;
    }
    if (typeof a === 'string' && typeof b === 'string' && a.length + b.length > frame.evaluation.longestText)
      throw frame.evaluation.tooLarge();
    if (typeof a === 'bigint' && typeof b === 'bigint' && b > LONGEST_SHIFT && (sign === '**' || sign === '<<'))
      throw frame.evaluation.tooLarge();
    return operate(a, b);
  };
}

export function unary(sign: string, operand: Run): Run | undefined {
  switch (sign) {
    case '!':
      return (frame) => !operand(frame);
    case '-':
      return (frame) => -(measured(frame, operand(frame)) as number);
    case '+':
      return (frame) => +(measured(frame, operand(frame)) as number);
    case '~':
      return (frame) => ~(measured(frame, operand(frame)) as number);
    case 'typeof':
      return (frame) => typeof operand(frame);
    case 'void':
      return (frame) => void operand(frame);
    default:
      return undefined;
  }
}

function measured(frame: Frame, value: unknown): unknown {
  if (frame.evaluation.guarded && typeof value === 'object' && value !== null) chargeText(frame.evaluation, value);
  return value;
}
