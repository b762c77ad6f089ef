import { setTimeout as sleep } from 'node:timers/promises';
import { CommandFailed } from '../failures.ts';
import type { FleetProcess } from './fleet-process.ts';

/** Loading the programs takes about a second; on a machine with thirty others at work it was a minute. */
const startMs = 180_000;

/** Resolves when the address answers 200; rejects when the process ends before, or after three minutes. */
export async function untilReady(process: FleetProcess, url: string): Promise<void> {
  let said = 'nothing';
  for (const until = Date.now() + startMs; Date.now() < until; await sleep(50)) {
    if (process.hasEnded) throw new CommandFailed(`The fleet did not start: ${await process.ended}`, 'The lines above say why.');
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
      const body = await response.text();
      if (response.ok) return;
      said = `${response.status} ${body.slice(0, 300)}`;
    } catch {
      // Not listening yet.
    }
  }
  throw new CommandFailed(`${process.name} was not ready after ${startMs / 1_000} s; ${url} said ${said}.`, 'Its log is in .argosy/logs.');
}
