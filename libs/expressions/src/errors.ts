/** Codes are stable: programs and stored executions refer to them. */
export type ExpressionErrorCode =
  | 'expression_syntax'
  | 'expression_blocked'
  | 'expression_function_result'
  | 'expression_extension'
  | 'expression_unknown_node'
  | 'expression_node_not_executed'
  | 'expression_paired_item'
  | 'expression_argument'
  | 'expression_unavailable'
  | 'expression_too_large'
  | 'expression_timeout'
  | 'expression_out_of_memory'
  | 'expression_sandbox_failed';

/**
 * What an author can do something about. Inside an expression every other error is swallowed (the value is then
 * undefined); this one reaches the node.
 */
export class ExpressionError extends Error {
  override readonly name: string = 'ExpressionError';
  readonly code: ExpressionErrorCode;
  /** A second sentence: what to try. */
  readonly description: string | undefined;
  /** A repeated evaluation of the same data gives the same error. */
  readonly retryable: boolean;

  constructor(code: ExpressionErrorCode, message: string, description?: string) {
    super(message);
    this.code = code;
    this.description = description;
    this.retryable = code === 'expression_timeout' || code === 'expression_sandbox_failed';
  }
}

/** A method the language adds to values was called wrongly. */
export class ExpressionExtensionError extends ExpressionError {
  override readonly name: string = 'ExpressionExtensionError';

  constructor(message: string, description?: string) {
    super('expression_extension', message, description);
  }
}

/** An error as it crosses the border of the sandbox. */
export interface ExpressionErrorShape {
  readonly name: string;
  readonly code: ExpressionErrorCode;
  readonly message: string;
  readonly description?: string | undefined;
}

export function toExpressionErrorShape(error: ExpressionError): ExpressionErrorShape {
  return { name: error.name, code: error.code, message: error.message, description: error.description };
}

export function fromExpressionErrorShape(shape: ExpressionErrorShape): ExpressionError {
  return shape.name === 'ExpressionExtensionError'
    ? new ExpressionExtensionError(shape.message, shape.description)
    : new ExpressionError(shape.code, shape.message, shape.description);
}

export function invalidSyntax(text: string, reason: string): ExpressionError {
  return new ExpressionError(
    'expression_syntax',
    `Invalid syntax in expression ${quote(text)}: ${reason}`,
    'Each {{ }} must hold one JavaScript expression.',
  );
}

function quote(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}
