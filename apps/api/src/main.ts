import 'reflect-metadata';
import { ConsoleLogger } from '@nestjs/common';
import { loadEnv } from '@app/config';
import { startApi } from './start-api.ts';

const logger = new ConsoleLogger('api', { json: true });
try {
  await startApi(loadEnv(process.env), logger);
} catch (error) {
  logger.fatal(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
