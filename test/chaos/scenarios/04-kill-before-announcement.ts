import type { Scenario } from '../scenario.ts';
import { killAt } from './kill-at.ts';

/** Reserve makes three activations ready at once; the worker that should announce them dies first. */
export const killBeforeAnnouncement: Scenario = {
  number: 4,
  title: 'kill -9 between the commit and the announcement of its successors',
  run: (context) => killAt(context, { place: 'worker:after-commit/Reserve', passings: [1, 2], losesWork: false }),
};
