import type { CaseResult, TestCase } from './runner/test-case.ts';
export interface Difference {
  readonly where: string;
  readonly expected: string;
  readonly actual: string;
}
export function compareCase(testCase: TestCase, actual: CaseResult, options?: { readonly messages?: boolean }): Difference[];
export function compareResult(expected: CaseResult, actual: CaseResult, options?: { readonly messages?: boolean; readonly workflow?: unknown }): Difference[];
export function withoutHiddenOutputs(testCase: TestCase, actual: CaseResult): CaseResult;
