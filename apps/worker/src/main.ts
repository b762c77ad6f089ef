import 'reflect-metadata';
import { ConsoleLogger } from '@nestjs/common';
import { loadEnv, logLevels } from '@app/config';
import { startWorker } from './start-worker.ts';

const logger = new ConsoleLogger('worker', { json: true });
try {
  const env = loadEnv(process.env);
  logger.setLogLevels(logLevels(env.LOG_LEVEL));
  await startWorker(env, process.env, logger);
} catch (error) {
  logger.fatal(error instanceof Error ? error.message : String(error));
  // Connections that are open already would keep a process alive that will never take work.
  process.exit(1);
}
