import { parseArgs } from 'node:util';
import { scenarios } from './all-scenarios.ts';
import { runScenario, type ScenarioReport } from './run-scenario.ts';

/**
 * npm run chaos -- --all | --only 1,2,33  [--seed N] [--executions N] [--json]
 *
 * Strikes fleets of real processes and checks what they promised. The seed decides when and whom; what the machine
 * makes of it is its own affair, so a seed repeats the attack and not the outcome. Ends with `N passed, N failed`.
 */
const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    executions: { type: 'string', default: '200' },
    json: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const executions = Number(values.executions);
const wanted = values.only?.split(',').map(Number);
const chosen = scenarios.filter(({ number }) => values.all || wanted?.includes(number));
const unknown = wanted?.filter((number) => !scenarios.some((scenario) => scenario.number === number)) ?? [];
if (chosen.length === 0 || unknown.length > 0 || !Number.isSafeInteger(seed) || !(executions >= 1)) {
  process.stderr.write(`Usage: npm run chaos -- --all | --only N,N… [--seed N] [--executions N] [--json]. Scenarios: ${scenarios.map(({ number }) => number).join(', ')}.\n`);
  process.exit(2);
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const reports: ScenarioReport[] = [];
for (const scenario of chosen) {
  say(`${scenario.number} ${scenario.title} …`);
  const report = await runScenario(scenario, { seed, executions, say });
  reports.push(report);
  if (!values.json) process.stdout.write(`${linesOf(report)}\n`);
}
const passed = reports.filter((report) => report.passed).length;
if (values.json) process.stdout.write(`${JSON.stringify({ seed, executions, scenarios: reports, passed, failed: reports.length - passed }, null, 1)}\n`);
process.stdout.write(`${passed} passed, ${reports.length - passed} failed\n`);
process.exit(passed === reports.length ? 0 : 1);

function linesOf({ number, title, passed, seconds, recoveryMs, faults, violations }: ScenarioReport): string {
  const struck = Object.entries(faults).map(([fault, count]) => `${count} ${fault}`);
  const recovery = recoveryMs === null ? '' : `; recovered in ${recoveryMs} ms`;
  return [`${passed ? 'PASSED' : 'FAILED'} ${number} ${title} (${seconds} s): ${struck.join(', ')}${recovery}`, ...violations.map((violation) => `    ${violation}`)].join('\n');
}
