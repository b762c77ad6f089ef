import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CaseServer } from './runner/case-server.ts';
import { PARALLEL, SERIAL } from './runner/exemptions.ts';
import { memoryFleet } from './runner/memory-fleet.ts';
import { runCases, type CaseReport } from './runner/run-cases.ts';
import { readCases } from './runner/test-case.ts';

/**
 * npm run conformance -- FOLDER… [--scheduling serial|parallel] [--store memory|postgres] [--json] [--only TEXT]
 *
 * Runs case files and compares with what the reference system gave. Ends with `N passed, N failed, N skipped`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scheduling: { type: 'string', default: 'serial' },
    store: { type: 'string', default: 'memory' },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    quiet: { type: 'boolean', default: false },
  },
});
const scheduling = values.scheduling === 'parallel' ? 'parallel' : 'serial';
const folders = positionals.length > 0 ? positionals : ['test/conformance/n8n'];
const cases = (await readCases(folders.map((folder) => resolve(folder)))).filter((testCase) => !values.only || testCase.name.includes(values.only));
const guestSource = await readFile('dist/sandbox-guest.js', 'utf8');
const fleet = values.store === 'postgres' ? await (await import('./runner/process-fleet.ts')).processFleet() : await memoryFleet(guestSource);

const show = (report: CaseReport): void => {
  if (values.json || report.verdict === 'passed' || (values.quiet && report.verdict !== 'failed')) return;
  process.stdout.write(`${report.verdict.toUpperCase()} ${report.name}${report.reason ? `: ${report.reason}` : ''}\n`);
  if (report.verdict !== 'failed') return;
  for (const { where, expected, actual } of report.differences.slice(0, 6)) process.stdout.write(`    ${where}\n      expected ${expected}\n      actual   ${actual}\n`);
};

const server = new CaseServer();
const reports = await runCases(fleet, cases, { scheduling, server, exemptions: scheduling === 'serial' ? SERIAL : PARALLEL, onReport: show });
await server.stop();
await fleet.stop();
const count = (verdict: CaseReport['verdict']): number => reports.filter((report) => report.verdict === verdict).length;
if (values.json) process.stdout.write(`${JSON.stringify({ scheduling, store: values.store, reports }, null, 1)}\n`);
if (!values.json) process.stdout.write(`${count('exempt')} differ by choice, see test/conformance/runner/exemptions.ts\n`);
process.stdout.write(`${count('passed') + count('exempt')} passed, ${count('failed')} failed, ${count('skipped')} skipped\n`);
process.exit(count('failed') > 0 ? 1 : 0);
