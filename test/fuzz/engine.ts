import { parseArgs } from 'node:util';
import { Coverage } from '../../libs/engine/testing/fuzz/coverage.ts';
import { checkDamaged, checkProgram } from '../../libs/engine/testing/fuzz/properties.ts';

/**
 * npm run fuzz:engine -- [--seed N] [--runs N] [--floor N]
 *
 * Runs of random programs, each checked step by step; afterwards everything named must have been seen `floor` times.
 * A failure names its seed: `--seed <that seed> --runs 1` repeats it.
 */
const USAGE = `npm run fuzz:engine -- [--seed N] [--runs N] [--floor N] [--all]

  --seed   the first seed; default 1
  --runs   how many programs; default 14000
  --floor  how often everything named must be seen; default 500, or 0 with fewer runs
  --all    goes on after a failure
`;

// A step that asks for rows does so by throwing; nobody reads those stacks.
Error.stackTraceLimit = 4;
const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' }, runs: { type: 'string', default: '14000' }, floor: { type: 'string' }, all: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } } });
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const first = Number(values.seed);
const runs = Number(values.runs);
// A few programs cannot reach everything.
const floor = Number(values.floor ?? (runs >= 14_000 ? 500 : 0));
const coverage = new Coverage();
let steps = 0;
let failed = 0;
let passed = 0;
let damagedRuns = 0;
for (let seed = first; seed < first + runs; seed++) {
  try {
    steps += checkProgram(seed, coverage);
    damagedRuns += checkDamaged(seed, 10);
    passed += 1;
  } catch (error) {
    failed += 1;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (!values.all) break;
  }
}
const below = coverage.below(floor);
process.stdout.write(`${coverage.table()}\n\n${runs} seeds from ${first}, ${steps} steps, ${damagedRuns} damaged programs that passed validation, ${failed} failed\n`);
if (failed === 0 && below.length > 0) process.stdout.write(`Seen less than ${floor} times:\n${below.join('\n')}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || below.length > 0 ? 1 : 0;
