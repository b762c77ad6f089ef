import { z } from 'zod';
import { VARIABLES } from './variables.ts';

const schema = z.object(Object.fromEntries(Object.entries(VARIABLES).map(([name, { schema: one }]) => [name, one])) as { [K in keyof typeof VARIABLES]: (typeof VARIABLES)[K]['schema'] });

export type Env = Readonly<z.infer<typeof schema>>;

/** The environment is not as the processes need it. Says all that is wrong at once. */
export class BadEnvironment extends Error {
  override readonly name = 'BadEnvironment';
  readonly code = 'bad_environment';
}

/** The only reader of the environment. Empty values count as absent. Throws `BadEnvironment`. */
export function loadEnv(environment: Readonly<Record<string, string | undefined>>): Env {
  const given = Object.fromEntries(Object.keys(VARIABLES).flatMap((name) => (environment[name] === undefined || environment[name] === '' ? [] : [[name, environment[name]]])));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    const { meaning } = VARIABLES[name as keyof typeof VARIABLES];
    return `  ${name}=${JSON.stringify(given[name])}: ${issue.message}. ${meaning}`;
  });
  throw new BadEnvironment(`The environment is not usable:\n${lines.join('\n')}\nSee .env.example for every variable and its default.`);
}
