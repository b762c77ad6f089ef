import { catalogue, type NodeCatalogue } from '@app/nodes';
import { compareCase, type Difference } from '../compare.mjs';
import { HTTP_SERVER, type CaseServer } from './case-server.ts';
import { caseResult } from './case-result.ts';
import { compareUnordered } from './compare-unordered.ts';
import { WITH_SWITCH, type Exemption } from './exemptions.ts';
import { StartRefused, type Fleet, type Switches } from './fleet.ts';
import type { TestCase } from './test-case.ts';

export interface CaseReport {
  readonly name: string;
  readonly verdict: 'passed' | 'failed' | 'skipped' | 'exempt';
  readonly differences: readonly Difference[];
  readonly reason?: string;
  readonly ms: number;
}

export interface RunOptions {
  readonly scheduling: 'serial' | 'parallel';
  readonly exemptions: readonly Exemption[];
  /** Lent to the cases that need it; whoever gives it stops it. */
  readonly server: CaseServer;
  readonly onReport?: (report: CaseReport) => void;
}

/** Runs cases one after the other on a fleet. A case of the exemptions must differ; with its switch it must pass. */
export async function runCases(fleet: Fleet, cases: readonly TestCase[], options: RunOptions): Promise<CaseReport[]> {
  const nodes = catalogue();
  const reports: CaseReport[] = [];
  for (const testCase of cases) {
    for (const report of await runCase(fleet, testCase, nodes, options)) {
      reports.push(report);
      options.onReport?.(report);
    }
  }
  return reports;
}

export async function runCase(fleet: Fleet, testCase: TestCase, nodes: NodeCatalogue, options: RunOptions): Promise<CaseReport[]> {
  const began = performance.now();
  const report = (name: string, verdict: CaseReport['verdict'], differences: readonly Difference[], reason?: string): CaseReport => ({ name, verdict, differences, ...(reason !== undefined && { reason }), ms: performance.now() - began });
  const missing = [...missingTypes(testCase, nodes), ...missingNeeds(testCase, fleet)];
  if (missing.length > 0) return [report(testCase.name, 'skipped', [], `not carried yet: ${missing.join(', ')}`)];
  const differences = await attempt(fleet, testCase, {}, options);
  const exemption = options.exemptions.find(({ name }) => name === testCase.name);
  if (!exemption) return [report(testCase.name, differences.length === 0 ? 'passed' : 'failed', differences)];
  if (exemption.timing) return [report(testCase.name, differences.length === 0 ? 'passed' : 'exempt', differences, exemption.reason)];
  if (differences.length === 0) return [report(testCase.name, 'failed', [{ where: 'exemption', expected: 'a difference', actual: 'the case passes: remove it from the exemptions' }])];
  const switches = options.scheduling === 'serial' ? WITH_SWITCH[testCase.name] : undefined;
  const exempt = report(testCase.name, 'exempt', differences, exemption.reason);
  if (!switches) return [exempt];
  const switched = await attempt(fleet, testCase, switches, options);
  return [exempt, report(`${testCase.name} (${Object.entries(switches).map(([key, value]) => `${key}: ${String(value)}`).join(', ')})`, switched.length === 0 ? 'passed' : 'failed', switched)];
}

async function attempt(fleet: Fleet, testCase: TestCase, switches: Switches, options: RunOptions): Promise<Difference[]> {
  try {
    await options.server.prepare(testCase);
    const workflowId = await fleet.save(testCase, options.scheduling, switches);
    let executionId = '';
    for (let round = 0; round < (testCase.start.repeat ?? 1); round++) executionId = await fleet.run(workflowId, testCase);
    for (const _ of testCase.start.resume ?? []) await fleet.resumeByTime(executionId);
    const actual = caseResult(await fleet.read(executionId), await fleet.staticData(workflowId));
    return options.scheduling === 'parallel' ? compareUnordered(testCase, actual) : compareCase(testCase, actual, { messages: false });
  } catch (error) {
    if (error instanceof StartRefused) return compareCase(testCase, { status: 'error', error: { message: error.message }, order: [], runData: {} }, { messages: false });
    return [{ where: 'run', expected: 'a result', actual: error instanceof Error ? (error.stack ?? error.message).slice(0, 800) : String(error) }];
  }
}

/** What stands around a case that this runner or this fleet does not have. */
function missingNeeds({ needs = [], credentials = [] }: TestCase, fleet: Fleet): string[] {
  return [...needs.filter((need) => need !== HTTP_SERVER), ...(credentials.length > 0 && !fleet.storesCredentials ? ['credentials'] : [])];
}

/** Types that the case cannot do without: those of nodes that its result mentions. */
function missingTypes(testCase: TestCase, nodes: NodeCatalogue): string[] {
  const types = testCase.workflow.nodes.map((node) => ({ type: String(node['type']), version: Number(node['typeVersion'] ?? 1) }));
  return [...new Set(types.filter(({ type, version }) => !nodes.describe(type, version)).map(({ type }) => type))];
}
