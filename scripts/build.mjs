/**
 * Bundles dist/ as rolldown.config.mjs says. Files appear by rename, so that a process that starts meanwhile reads
 * the old bundle or the new one, never half of one. `--if-changed` does nothing when no source is newer.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import configs from '../rolldown.config.mjs';
import { fromRoot, root } from './paths.mjs';

process.chdir(root);
const stamp = fromRoot('dist', '.built');
const fingerprint = await fingerprintOf(['apps', 'libs', 'prisma', 'rolldown.config.mjs', 'tsconfig.json', 'package-lock.json']);
const current = (await readFile(stamp, 'utf8').catch(() => '')) === fingerprint;
if (!(process.argv.includes('--if-changed') && current)) await build();

async function build() {
  // As deep as dist/ itself: source maps name their sources relative to the folder they were written to.
  const next = fromRoot(`dist-next-${process.pid}`);
  await mkdir(next, { recursive: true });
  await mkdir(fromRoot('dist'), { recursive: true });
  const built = [];
  const failed = [];
  try {
    for (const config of configs) {
      if (!Object.values(config.input).every((file) => existsSync(file))) continue;
      await bundle(config, next).then((names) => built.push(...names), (error) => failed.push(error.message));
    }
    for (const file of await readdir(next)) await rename(join(next, file), fromRoot('dist', file));
  } finally {
    await rm(next, { recursive: true, force: true });
  }
  process.stdout.write(`built ${built.map((name) => `dist/${name}.js`).join(', ') || 'nothing'}\n`);
  if (failed.length === 0) return await writeFile(stamp, fingerprint);
  process.stderr.write(`${failed.join('\n')}\n`);
  process.exitCode = 1;
}

async function bundle({ output, ...input }, dir) {
  const bundled = await rolldown({ logLevel: 'silent', ...input });
  await bundled.write({ ...output, dir });
  await bundled.close();
  return Object.keys(input.input);
}

/** Names, sizes and times instead of contents: about 10 ms for the whole tree. */
async function fingerprintOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) await addTo(hash, path);
  return hash.digest('hex');
}

async function addTo(hash, path) {
  const found = await stat(path).catch(() => null);
  if (!found) return;
  if (!found.isDirectory()) return void hash.update(`${path} ${found.size} ${found.mtimeMs}\n`);
  if (path.endsWith('node_modules')) return;
  for (const name of (await readdir(path)).sort()) if (!/\.spec\.ts$/.test(name)) await addTo(hash, join(path, name));
}
