import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as postgres from '../../../scripts/services/postgres.mjs';

/** A Postgres of the scenario's own with its commits on disk, to be crashed and started again. */
export async function startOwnPostgres(): Promise<postgres.ThrowawayPostgres> {
  // Found at run time: the launchers look for their files beside themselves, which a bundle would move.
  const services = (await import(/* @vite-ignore */ pathToFileURL(resolve('scripts/services/postgres.mjs')).href)) as typeof postgres;
  return services.startThrowaway({ durable: true });
}
