import { join } from 'node:path';
import { node24, nodeFlags, stateFolder } from '../../../../scripts/paths.mjs';
import { freePort } from '../../../../scripts/services/free-port.mjs';
import { startLasting } from '../../../../scripts/services/postgres.mjs';
import type { RunningFleet } from '../fleet-starter.ts';
import { FleetProcess } from './fleet-process.ts';
import { chooseApiPort } from './api-port.ts';
import { migrateDatabase } from './migrate-database.ts';
import { untilReady } from './until-ready.ts';
import { livenessOf, untilSilent, type Liveness } from './until-silent.ts';

export interface FleetOptions {
  readonly workers: number;
  /** WORKER_SLOTS goes before it. */
  readonly slotsPerWorker?: number;
  readonly report: (sentence: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where api.js and worker.js are. */
  readonly programs: string;
}

/** A process that ended sooner than this after its start, this often in a row, will not get better by itself. */
const quickEnd = { ms: 10_000, times: 3 };

/** A place in the fleet and who holds it now. */
interface Seat {
  process: FleetProcess;
  readonly succeed: () => FleetProcess;
  readonly liveness: Liveness;
}

/** Beyond the grace that the processes give their activations. */
const graceReserveMs = 5_000;

/**
 * Starts a database (unless DATABASE_URL names one), brings it up to date, and starts an API and its workers as
 * processes of their own. Whatever was started before a failure is stopped again. A process that ends once the fleet is
 * up gets a successor, unless its successors keep ending at once.
 */
export async function startFleet({ workers, slotsPerWorker, report, env: given, programs }: FleetOptions): Promise<RunningFleet> {
  const seats: Seat[] = [];
  const database = given['DATABASE_URL'] ? { url: given['DATABASE_URL'], started: true, stop: async () => {} } : await startLasting();
  const graceMs = Number(given['SHUTDOWN_GRACE_MS'] || 30_000) + graceReserveMs;
  // A second Ctrl-C, or the copy of the first that npm passes on, would end this process and leave the database running.
  const stayAlive = () => {};
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stayAlive);
  let isStopping = false;
  const stop = async (): Promise<void> => {
    isStopping = true;
    // Workers first: while they drain, somebody may still be waiting for an answer of the API.
    const [api, ...others] = seats;
    await Promise.all(others.map(({ process }) => process.stop(graceMs)));
    await api?.process.stop(graceMs);
    await database.stop();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stayAlive);
  };
  try {
    report(database.started ? 'Database ready.' : 'Database ready: another fleet of this checkout started it, and stops it with itself.');
    await migrateDatabase(database.url, given['REDIS_URL']);
    const port = await chooseApiPort(given['PORT']);
    const url = `http://127.0.0.1:${port}`;
    const env = { ...given, DATABASE_URL: database.url, HOST: given['HOST'] || '127.0.0.1', PORT: String(port), ARGOSY_URL: given['ARGOSY_URL'] || url, ...(slotsPerWorker !== undefined && !given['WORKER_SLOTS'] ? { WORKER_SLOTS: String(slotsPerWorker) } : {}) };
    const start = (name: string, program: string, origin: string, more: Record<string, string> = {}): FleetProcess => {
      const logFile = join(stateFolder, 'logs', `${name.replaceAll(' ', '-').toLowerCase()}.log`);
      const begin = (isSuccessor: boolean) => new FleetProcess({ name, command: node24, args: [...nodeFlags, join(programs, program)], env: { ...env, ...more }, logFile, isSuccessor });
      const seat = { process: begin(false), succeed: () => begin(true), liveness: livenessOf(origin) };
      seats.push(seat);
      return seat.process;
    };
    /** Resolves with the reason when it is no use to start it again. */
    const keepAlive = async (seat: Seat): Promise<string> => {
      for (let quickEnds = 0; ; ) {
        const began = performance.now();
        const { process } = seat;
        void untilSilent(process, seat.liveness).then(() => {
          if (process.hasEnded) return;
          report(`${process.name} has not answered for a minute: something blocks it. It is ended.`);
          process.kill();
        });
        const reason = await process.ended;
        if (isStopping) return new Promise<never>(() => {});
        quickEnds = performance.now() - began < quickEnd.ms ? quickEnds + 1 : 0;
        if (quickEnds >= quickEnd.times) return reason;
        report(`${reason.split(';')[0]!}. Another one takes its place; the others go on.`);
        seat.process = seat.succeed();
      }
    };
    const api = start('API', 'api.js', url);
    const ready = [untilReady(api, `${url}/readyz`)];
    for (let number = 1; number <= workers; number += 1) {
      const healthPort = await freePort();
      const origin = `http://127.0.0.1:${healthPort}`;
      const worker = start(`worker ${number}`, 'worker.js', origin, { WORKER_HEALTH_PORT: String(healthPort), WORKER_ID: `worker-${number}-${process.pid}` });
      ready.push(untilReady(worker, `${origin}/readyz`));
    }
    await Promise.all(ready);
    report(`API and ${workers} ${workers === 1 ? 'worker' : 'workers'} ready at ${url}.`);
    return { url, failed: Promise.race(seats.map(keepAlive)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
