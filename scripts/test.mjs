/**
 * node scripts/test.mjs [unit|int|e2e|chaos …] [-- vitest arguments]
 *
 * Without names: every tier and the conformance cases, cheapest first, on one throwaway Postgres and Redis. The last
 * line is `N passed, N failed` over all of them; the exit code is 0 only when nothing failed and something ran.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { bootstrap } from './bootstrap.mjs';
import { runNode } from './child.mjs';
import { fromRoot, root, stateFolder } from './paths.mjs';
import { startServices } from './services/services.mjs';

const tiers = ['unit', 'int', 'e2e', 'chaos'];
/** Programs that run cases of their own and close with the same kind of line. */
const runners = ['test/conformance/run.ts'];

const split = process.argv.indexOf('--');
const named = process.argv.slice(2, split < 0 ? undefined : split);
const vitestArgs = split < 0 ? [] : process.argv.slice(split + 1);
const unknown = named.filter((name) => !tiers.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`No tier is called ${unknown.join(', ')}. Known: ${tiers.join(', ')}. Arguments of vitest come after --.\n`);
  process.exit(2);
}

await bootstrap();
const wanted = named.length > 0 ? named : tiers;
const services = wanted.some((tier) => tier !== 'unit') ? await startServices() : { env: {}, stop: async () => {} };
const env = { ...process.env, ...services.env };
const counts = [];
try {
  // Unit tests must pass without services, so they must not find any.
  if (wanted.includes('unit')) counts.push(await vitest(['unit'], { ...process.env, DATABASE_URL: '', REDIS_URL: '' }));
  const others = wanted.filter((tier) => tier !== 'unit');
  for (const tier of others) counts.push(await vitest([tier], env));
  if (named.length === 0) for (const runner of runners) if (existsSync(fromRoot(runner))) counts.push(await runProgram(runner));
} finally {
  await services.stop();
}

const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
for (const { name, ...count } of counts) process.stdout.write(`${name}: ${count.passed} passed, ${count.failed} failed\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

async function vitest(projects, environment) {
  const name = projects.join('+');
  const results = `${stateFolder}/test-results-${name}-${process.pid}.json`;
  await mkdir(stateFolder, { recursive: true });
  const code = await runNode(
    fromRoot('node_modules', 'vitest', 'vitest.mjs'),
    ['run', ...projects.flatMap((project) => ['--project', project]), '--reporter=default', '--reporter=json', `--outputFile.json=${results}`, ...vitestArgs],
    { env: environment },
  );
  const report = JSON.parse(await readFile(results, 'utf8').catch(() => '{}'));
  await rm(results, { force: true });
  // A file that cannot be loaded has no tests that could fail; nor has a run that died.
  const failures = (report.numFailedTests ?? 0) + (report.testResults ?? []).filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0).length;
  return { name, passed: report.numPassedTests ?? 0, failed: code === 0 ? failures : Math.max(failures, 1) };
}

/** Runs a program through scripts/run.mjs and counts what its last `N passed, N failed` says. */
async function runProgram(entry) {
  let output = '';
  const child = spawn(process.execPath, [fromRoot('scripts', 'run.mjs'), entry], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.on('data', (chunk) => {
    process.stdout.write(chunk);
    output = (output + chunk).slice(-65_536);
  });
  const code = await new Promise((resolve) => child.once('close', (exit) => resolve(exit ?? 1)));
  const last = [...output.matchAll(/(\d+) passed, (\d+) failed/g)].at(-1);
  const failures = Number(last?.[2] ?? 0);
  return { name: entry, passed: Number(last?.[1] ?? 0), failed: code === 0 && last ? failures : Math.max(failures, 1) };
}
