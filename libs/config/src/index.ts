export { BadEnvironment, loadEnv, type Env } from './load-env.ts';
export { VARIABLES } from './variables.ts';
