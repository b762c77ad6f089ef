import type { Scenario } from '../scenario.ts';
import { killAt } from './kill-at.ts';

export const killBeforeNode: Scenario = {
  number: 1,
  title: 'kill -9 of a worker between the claim and the node',
  run: (context) => killAt(context, { place: 'worker:claimed', passings: [1, 8], losesWork: true }),
};
