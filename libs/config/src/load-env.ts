import { z } from 'zod';
import { variables, type Variable } from './variables.ts';

const shape = Object.fromEntries(Object.entries(variables).map(([name, { schema }]) => [name, schema])) as {
  [Name in keyof typeof variables]: (typeof variables)[Name]['schema'];
};
const schema = z.object(shape);

/** The settings of a process, checked and typed; frozen. */
export type Env = Readonly<z.infer<typeof schema>>;

export class InvalidEnvironment extends Error {
  readonly code = 'invalid_environment';

  constructor(readonly problems: readonly string[]) {
    super(`The environment is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}\nEvery variable is explained in .env.example.`);
  }
}

/**
 * Reads the environment; nobody else does. Throws InvalidEnvironment with all problems at once, each with the variable,
 * its value and what is allowed. Variables that are not ours are none of our business.
 */
export function loadEnv(environment: Readonly<Record<string, string | undefined>>): Env {
  const result = schema.safeParse(environment);
  if (!result.success) throw new InvalidEnvironment(result.error.issues.map((issue) => describe(issue, environment)));
  return Object.freeze(result.data);
}

function describe({ path, message }: z.core.$ZodIssue, environment: Readonly<Record<string, string | undefined>>): string {
  const name = String(path[0]);
  const { isSecret, meaning } = variables[name as keyof typeof variables] as Variable;
  const value = environment[name];
  if (value === undefined || value === '') return `${name} is not set. ${meaning}`;
  const shown = isSecret ? 'a value that does not fit' : JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  return `${name} is ${shown}, but must be ${message.replace(/^Invalid option: expected one of /, 'one of ')}.`;
}
