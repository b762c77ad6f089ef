import type { Need } from './snapshot.ts';

/** Thrown inside a step, caught by `step`: a row is needed that was not loaded. */
export class Missing extends Error {
  constructor(readonly need: Need) {
    super('not loaded');
  }
}
