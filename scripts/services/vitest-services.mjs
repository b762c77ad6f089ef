/** Vitest's global set-up of the projects that need services. Three projects share one set; the last one out ends it. */
import { startServices } from './services.mjs';

let users = 0;
let starting = null;

export async function setup() {
  users += 1;
  starting ??= startServices();
  const { env } = await starting;
  Object.assign(process.env, env);
  return async () => {
    users -= 1;
    if (users > 0) return;
    for (const name of Object.keys(env)) delete process.env[name];
    await (await starting).stop();
    starting = null;
  };
}
