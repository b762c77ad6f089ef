import type { Scenario } from './scenario.ts';
import { killBeforeNode } from './scenarios/01-kill-before-node.ts';
import { killMidNode } from './scenarios/02-kill-mid-node.ts';
import { killBeforeCommit } from './scenarios/03-kill-before-commit.ts';
import { killBeforeAnnouncement } from './scenarios/04-kill-before-announcement.ts';
import { killBeforeAcknowledgement } from './scenarios/05-kill-before-acknowledgement.ts';
import { apiCrashBeforeAnnouncement } from './scenarios/06-api-crash-before-announcement.ts';
import { apiCrashBeforeResponse } from './scenarios/07-api-crash-before-response.ts';
import { redisFlushall } from './scenarios/08-redis-flushall.ts';
import { redisRestart } from './scenarios/09-redis-restart.ts';

export const scenarios: readonly Scenario[] = [
  killBeforeNode,
  killMidNode,
  killBeforeCommit,
  killBeforeAnnouncement,
  killBeforeAcknowledgement,
  apiCrashBeforeAnnouncement,
  apiCrashBeforeResponse,
  redisFlushall,
  redisRestart,
];
