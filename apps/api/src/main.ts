import 'reflect-metadata';
import { ConsoleLogger } from '@nestjs/common';
import { loadEnv, logLevels } from '@app/config';
import { startApi } from './start-api.ts';

const logger = new ConsoleLogger('api', { json: true });
try {
  const env = loadEnv(process.env);
  logger.setLogLevels(logLevels(env.LOG_LEVEL));
  await startApi(env, logger);
} catch (error) {
  logger.fatal(error instanceof Error ? error.message : String(error));
  // Connections that are open already would keep a process alive that will never listen.
  process.exit(1);
}
