import type { Json } from '@app/engine';
import type { ExpressionError } from '../errors.ts';
import type { ExecutionData, Variables } from '../execution-data.ts';

export interface EvaluationRequest {
  readonly text: string;
  readonly itemIndex: number;
  readonly variables?: Variables | undefined;
}

export type EvaluationResult = { readonly value: Json; readonly error?: undefined } | { readonly error: ExpressionError };

export class Sandbox {
  async evaluateMany(_requests: readonly EvaluationRequest[], _data: ExecutionData): Promise<EvaluationResult[]> {
    throw new Error('not yet');
  }
}
