import type { Fleet } from './fleet.ts';

/** A real fleet behind its API. */
export async function processFleet(): Promise<Fleet> {
  throw new Error('The fleet of processes is not there yet.');
}
