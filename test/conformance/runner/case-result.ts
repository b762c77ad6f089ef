import type { JsonObject } from '@app/engine';
import type { ExecutionDetail } from './fleet.ts';
import type { CaseResult, CaseRun } from './test-case.ts';

/** An execution as the API shows it, in the form in which cases state their expectation. */
export function caseResult({ status, data }: ExecutionDetail, staticData: JsonObject | null): CaseResult {
  const { runData, lastNodeExecuted, error } = data.resultData;
  const runs: { [node: string]: CaseRun[] } = {};
  const order: { at: number; name: string }[] = [];
  for (const [name, tasks] of Object.entries(runData)) {
    runs[name] = tasks.map((task) => {
      order.push({ at: task.executionIndex, name });
      return { status: task.executionStatus, source: task.source, ...(task.data && { outputs: task.data.main }), ...(task.error && { error: { message: task.error.message } }) };
    });
  }
  return {
    status,
    ...(error && { error: { message: error.message, ...(error.node && { node: error.node.name }) } }),
    ...(lastNodeExecuted !== undefined && { lastNodeExecuted }),
    order: order.sort((a, b) => a.at - b.at).map(({ name }) => name),
    runData: runs,
    ...(staticData && { staticData }),
  };
}
