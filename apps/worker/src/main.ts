import 'reflect-metadata';
import { ConsoleLogger } from '@nestjs/common';
import { loadEnv } from '@app/config';
import { startWorker } from './start-worker.ts';

const logger = new ConsoleLogger('worker', { json: true });
try {
  await startWorker(loadEnv(process.env), process.env, logger);
} catch (error) {
  logger.fatal(error instanceof Error ? error.message : String(error));
  // Connections that are open already would keep a process alive that will never take work.
  process.exit(1);
}
