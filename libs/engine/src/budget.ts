import type { Draft } from './draft.ts';

/** A skip costs a tenth of a run. */
const RUN = 10;
const SKIP = 1;

/** Counts one more run; false when the budget does not allow it, and the execution is then bound to end. */
export function affordRun(draft: Draft): boolean {
  return spend(draft, RUN);
}

export function countSkip(draft: Draft): void {
  spend(draft, SKIP);
}

function spend(draft: Draft, tenths: number): boolean {
  const { budget } = draft.program.policies;
  if (!budget) return true;
  if (draft.execution.spent + tenths <= budget.runs * RUN) {
    draft.execution.spent += tenths;
    return true;
  }
  draft.execution.ending ??=
    budget.onExhausted === 'stop'
      ? { status: 'succeeded', cause: 'budget', error: null }
      : { status: 'failed', cause: 'budget', error: { message: `The execution used up its budget of ${budget.runs} runs. Is there a loop without an exit?`, code: 'budget_exhausted' } };
  return false;
}
