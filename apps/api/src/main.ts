import 'reflect-metadata';
import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import { loadEnv, type Env } from '@app/config';
import { startApi } from './start-api.ts';

const logger = new ConsoleLogger('api', { json: true });
try {
  const env = loadEnv(process.env);
  logger.setLogLevels(levelsFrom(env.LOG_LEVEL));
  await startApi(env, logger);
} catch (error) {
  logger.fatal(error instanceof Error ? error.message : String(error));
  // Connections that are open already would keep a process alive that will never listen.
  process.exit(1);
}

function levelsFrom(level: Env['LOG_LEVEL']): LogLevel[] {
  const levels: LogLevel[] = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'];
  return levels.slice(0, { silent: 1, error: 2, warn: 3, info: 4, debug: 6 }[level]);
}
