/**
 * node scripts/run.mjs [--services | --durable-services] <entry.ts> [arguments]
 *
 * Runs a TypeScript entry under Node 24: bundles it to dist/tools/<name>.js (path aliases resolved, packages left
 * outside) and executes that. `--services` starts a throwaway Postgres and a Redis first, unless DATABASE_URL and
 * REDIS_URL already name some; `--durable-services` with fsync on, for measurements that are to mean something.
 * Ends with the entry's exit code.
 */
import { basename, dirname } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { runNode, runOrThrow } from './child.mjs';
import { fromRoot, node24, nodeFlags } from './paths.mjs';
import { startServices } from './services/services.mjs';

const args = process.argv.slice(2);
const servicesFlag = ['--services', '--durable-services'].includes(args[0]) ? args.shift() : null;
const [entry, ...rest] = args;
if (!entry) {
  process.stderr.write('Which file? Usage: node scripts/run.mjs [--services | --durable-services] <entry.ts> [arguments]\n');
  process.exit(2);
}

await bootstrap({ build: 'what-can-be' });
const name = `${basename(dirname(entry))}-${basename(entry).replace(/\.[cm]?ts$/, '')}`;
const bundle = fromRoot('dist', 'tools', `${name}.js`);
await runOrThrow(node24, [...nodeFlags, fromRoot('scripts', 'bundle-tool.mjs'), entry, bundle]);
const services = servicesFlag ? await startServices({ durable: servicesFlag === '--durable-services' }) : { env: {}, stop: async () => {} };
try {
  process.exitCode = await runNode(bundle, rest, { env: { ...process.env, ...services.env }, cwd: process.cwd() });
} finally {
  await services.stop();
}
