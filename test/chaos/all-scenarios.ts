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
import { redisFull } from './scenarios/11-redis-full.ts';
import { postgresRestart } from './scenarios/12-postgres-restart.ts';
import { partitionFromPostgres } from './scenarios/15-partition-from-postgres.ts';
import { partitionFromRedis } from './scenarios/16-partition-from-redis.ts';
import { blockedEventLoop } from './scenarios/17-blocked-event-loop.ts';
import { stoppedProcess } from './scenarios/18-stopped-process.ts';
import { doubledMessages } from './scenarios/20-doubled-messages.ts';
import { reorderedMessages } from './scenarios/21-reordered-messages.ts';
import { poisonNode } from './scenarios/22-poison-node.ts';
import { rollingDeploy } from './scenarios/29-rolling-deploy.ts';
import { collectorDown } from './scenarios/31-collector-down.ts';
import { racingCommands } from './scenarios/32-racing-commands.ts';
import { fanOutUnderFire } from './scenarios/33-fan-out-under-fire.ts';
import { sweeperRaces } from './scenarios/35-sweeper-races.ts';

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
  redisFull,
  postgresRestart,
  partitionFromPostgres,
  partitionFromRedis,
  blockedEventLoop,
  stoppedProcess,
  doubledMessages,
  reorderedMessages,
  poisonNode,
  rollingDeploy,
  collectorDown,
  racingCommands,
  fanOutUnderFire,
  sweeperRaces,
];
