import type { Scenario } from '../scenario.ts';
import { killApiAt } from './kill-api-at.ts';

export const apiCrashBeforeResponse: Scenario = {
  number: 7,
  title: 'crash of the API before the response; the client repeats with its idempotency key',
  run: (context) => killApiAt(context, 'api:after-commit-before-response'),
};
