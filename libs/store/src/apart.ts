/**
 * How activations that were lost with their worker more than once are kept apart when they go on: every further one of
 * a sweep a second later, up to seven. A node that kills its process does so at its start or by what it allocates in a
 * moment, and a bystander that has a second to itself is done or out of the way.
 */
export const APART = { places: 8, ms: 1_000 } as const;

/** Delay of the nth of them in one sweep, counted from 0. */
export const delayApart = (nth: number): number => (nth % APART.places) * APART.ms;
