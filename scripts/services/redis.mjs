/**
 * A Redis for tests and benchmarks: REDIS_URL when set; else `redis-server` from the PATH on a free port; else, on
 * Debian as root, installed first. Keeps nothing on disk: what it holds can be rebuilt from Postgres.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { runOrThrow } from '../child.mjs';
import { freePort } from './free-port.mjs';

const startMs = 10_000;

/** @returns {Promise<{ url: string, stop(): Promise<void> }>} */
export async function startRedis({ port } = {}) {
  await installIfMissing();
  const at = port ?? (await freePort());
  const server = spawn(
    'redis-server',
    ['--bind', '127.0.0.1', '--port', String(at), '--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction', '--dir', tmpdir()],
    { stdio: ['ignore', 'ignore', 'inherit'], detached: true },
  );
  // Killed together with its test run, unless that is killed itself; then it idles on its free port.
  process.once('exit', () => server.kill('SIGKILL'));
  server.unref();
  await untilPong(at, server);
  return { url: `redis://127.0.0.1:${at}`, stop: () => stop(server) };
}

async function installIfMissing() {
  if (spawnSync('redis-server', ['--version']).status === 0) return;
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) {
    throw new Error('The tests need a Redis: install redis-server (Debian: apt-get install redis-server), or set REDIS_URL.');
  }
  process.stderr.write('argosy: installing redis-server …\n');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runOrThrow('apt-get', ['update', '-qq'], { env });
  await runOrThrow('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'redis-server'], { env });
  // The package starts a server of its own on port 6379, which nobody here uses.
  spawnSync('sh', ['-c', 'command -v service >/dev/null && service redis-server stop'], { stdio: 'ignore' });
}

async function untilPong(port, server) {
  let ended = false;
  server.once('exit', () => (ended = true));
  for (const until = Date.now() + startMs; Date.now() < until && !ended; await sleep(20)) if (await answers(port)) return;
  server.kill('SIGKILL');
  throw new Error(`redis-server did not answer on port ${port} within ${startMs / 1000} s.`);
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('data', (data) => (socket.destroy(), resolve(String(data).startsWith('+PONG'))));
    socket.once('error', () => resolve(false));
  });
}

async function stop(server) {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.ref();
  const gone = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGKILL');
  await gone;
}
