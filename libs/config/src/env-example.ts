import { variables, type Variable } from './variables.ts';

/** The text of .env.example: every variable with its meaning; those without a default are commented out. */
export function envExample(): string {
  const entries = Object.entries(variables) as [string, Variable][];
  const lines = entries.map(([name, { meaning, preset }]) => `# ${meaning}\n${preset === null ? `# ${name}=` : `${name}=${preset}`}\n`);
  return ['# Every variable that Argosy reads, with its default. Those without one are commented out.\n', ...lines].join('\n');
}
