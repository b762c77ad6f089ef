export { InvalidEnvironment, loadEnv } from './load-env.ts';
export type { Env } from './load-env.ts';
export { logLevels } from './log-levels.ts';
export { envExample } from './env-example.ts';
