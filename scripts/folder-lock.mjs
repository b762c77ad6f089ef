/** One at a time, across processes, with nothing but the file system: creating a folder is atomic. */
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for an installation over a slow line; after that the holder is taken for dead. */
const patienceMs = 10 * 60_000;

/** Runs `work` while holding the lock. A lock whose owner no longer lives is taken over. */
export async function withFolderLock(folder, work) {
  await acquire(folder);
  try {
    return await work();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function acquire(folder) {
  for (const until = Date.now() + patienceMs; ; await sleep(100)) {
    try {
      await mkdir(folder);
      await writeFile(join(folder, 'owner'), String(process.pid));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (Date.now() > until || (await isAbandoned(folder))) await rm(folder, { recursive: true, force: true });
  }
}

async function isAbandoned(folder) {
  const owner = Number(await readFile(join(folder, 'owner'), 'utf8').catch(() => ''));
  if (owner) return !isAlive(owner);
  // Between mkdir and writeFile there is no owner yet; a second is far more than that takes.
  const made = await stat(folder).catch(() => null);
  return made !== null && Date.now() - made.mtimeMs > 1_000;
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
