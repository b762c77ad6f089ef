export { InvalidEnvironment, loadEnv } from './load-env.ts';
export type { Env } from './load-env.ts';
export { envExample } from './env-example.ts';
