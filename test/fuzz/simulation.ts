import { parseArgs } from 'node:util';
import { Simulation } from '../simulation/simulation.ts';

/**
 * npm run fuzz:simulation -- [--seed N] [--runs N]
 *
 * Fleets in one thread, one after the other, each with faults of its own. A failure names its seed.
 */
const USAGE = `npm run fuzz:simulation -- [--seed N] [--runs N] [--all]

  --seed  the first seed; default 1
  --runs  how many fleets; default 1000
  --all   goes on after a failure
`;

Error.stackTraceLimit = 12;
const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' }, runs: { type: 'string', default: '1000' }, all: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } } });
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const first = Number(values.seed);
const totals = new Map<string, number>();
let failed = 0;
let passed = 0;
for (let seed = first; seed < first + Number(values.runs); seed++) {
  const simulation = new Simulation(seed);
  try {
    await simulation.run();
    passed += 1;
  } catch (error) {
    failed += 1;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (!values.all) break;
  }
  for (const [name, count] of Object.entries(simulation.oracle.counts)) totals.set(name, (totals.get(name) ?? 0) + count);
}
for (const [name, count] of totals) process.stdout.write(`${name.padEnd(14)} ${String(count).padStart(9)}\n`);
process.stdout.write(`${values.runs} fleets from seed ${first}\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
