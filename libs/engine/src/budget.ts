import type { Draft } from './draft.ts';

/** A skip costs a tenth of a run. */
const RUN = 10;
const SKIP = 1;

export function countRun(draft: Draft): void {
  spend(draft, RUN);
}

export function countSkip(draft: Draft): void {
  spend(draft, SKIP);
}

/** Past its budget an execution is bound to end: what runs may finish, nothing new starts. */
function spend(draft: Draft, tenths: number): void {
  const { budget } = draft.program.policies;
  if (!budget) return;
  draft.execution.spent += tenths;
  if (draft.execution.spent <= budget.runs * RUN || draft.execution.ending) return;
  draft.execution.ending =
    budget.onExhausted === 'stop'
      ? { status: 'succeeded', cause: 'budget', error: null }
      : { status: 'failed', cause: 'budget', error: { message: `The execution used up its budget of ${budget.runs} runs. Is there a loop without an exit?`, code: 'budget_exhausted' } };
}
