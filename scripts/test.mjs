/**
 * node scripts/test.mjs [unit|int|e2e|chaos …] [-- vitest arguments]
 *
 * Without names: every tier, cheapest first, on one throwaway Postgres and Redis. The last
 * line is `N passed, N failed` over all of them; the exit code is 0 only when nothing failed and something ran.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { bootstrap } from './bootstrap.mjs';
import { runNode } from './child.mjs';
import { fromRoot, stateFolder } from './paths.mjs';
import { startServices } from './services/services.mjs';

const tiers = ['unit', 'int', 'e2e', 'chaos'];

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
} finally {
  await services.stop();
}

const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
// Once more at the end: the first thing to know, and often all that a cut log shows.
for (const { name, names } of counts) for (const test of names) process.stdout.write(`failed in ${name}: ${test}\n`);
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
  const names = (report.testResults ?? []).flatMap(({ name: file, status, assertionResults }) => {
    const broken = assertionResults.filter((test) => test.status === 'failed').map((test) => test.fullName);
    return status === 'failed' && broken.length === 0 ? [file] : broken;
  });
  return { name, names, passed: report.numPassedTests ?? 0, failed: code === 0 ? failures : Math.max(failures, 1) };
}
