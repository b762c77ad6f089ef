import type { Scenario } from '../scenario.ts';
import { killApiAt } from './kill-api-at.ts';

export const apiCrashBeforeAnnouncement: Scenario = {
  number: 6,
  title: 'crash of the API between the commit of a start and its announcement',
  run: (context) => killApiAt(context, 'api:after-commit-before-send'),
};
