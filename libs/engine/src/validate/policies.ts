import { isObject, isWhole, type Findings } from './findings.ts';

const MOST = Number.MAX_SAFE_INTEGER;

export function checkPolicies(findings: Findings, policies: unknown): void {
  const path = '$.policies';
  if (!isObject(policies)) return findings.error(path, 'wrong_type', 'The program has no policies.', 'Begin with DEFAULT_POLICIES.');
  findings.require(policies['maxConcurrency'] === null || isWhole(policies['maxConcurrency'], 1, MOST), `${path}.maxConcurrency`, 'out_of_range', 'With no place nothing would ever run.', 'Use null or at least 1.');
  findings.oneOf(policies['order'], ['depthFirst', 'breadthFirst'], `${path}.order`);
  findings.oneOf(policies['dead'], ['on', 'off'], `${path}.dead`);
  findings.oneOf(policies['skipRule'], ['forwardSlots', 'allSlots'], `${path}.skipRule`);
  findings.oneOf(policies['emptyOutput'], ['notEmitted', 'emitted', 'emittedToLaterInputs'], `${path}.emptyOutput`);
  for (const name of ['startUnrunSources', 'suspendedHoldsPlace', 'drainAfterVoid']) findings.oneOf(policies[name], [true, false], `${path}.${name}`);
  const { budget } = policies;
  if (budget === null) return;
  if (!isObject(budget)) return findings.error(`${path}.budget`, 'wrong_type', 'The budget is neither null nor an object.', 'Use null for no limit.');
  findings.whole(budget['runs'], 1, MOST, `${path}.budget.runs`);
  findings.oneOf(budget['onExhausted'], ['stop', 'fail'], `${path}.budget.onExhausted`);
}
