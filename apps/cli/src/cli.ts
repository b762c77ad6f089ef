import { callOf, type CliKit, type Command } from './command.ts';
import { commands } from './commands/all-commands.ts';
import { BadUse, CommandFailed } from './failures.ts';

/** Codes of the store's errors that say themselves what to do. By code: importing the store would take a second of every command. */
const EXPECTED: ReadonlySet<unknown> = new Set(['schema_mismatch', 'store_unavailable']);

/** What Node and Postgres say of a server that is not there, or that lets nobody in. */
const UNREACHABLE = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|28P01|28000|3D000|57P03)$/;

/** Exit codes: 0 success, 1 failed, 2 bad use. Never throws. */
export async function runCli(args: readonly string[], kit: CliKit): Promise<number> {
  try {
    if (args.length === 1 && (args[0] === '--version' || args[0] === '-v')) {
      kit.terminal.out(`${kit.version}\n`);
      return 0;
    }
    const isHelp = args.includes('--help') || args.includes('-h');
    const { command, rest } = commandOf(
      args.filter((arg) => arg !== '--help' && arg !== '-h'),
      isHelp,
    );
    if (isHelp || !command) {
      kit.terminal.out(command ? helpOf(command) : overview());
      return 0;
    }
    return await command.run(callOf(command, rest, kit));
  } catch (error) {
    if (error instanceof BadUse || error instanceof CommandFailed) {
      kit.terminal.note(`argosy: ${error.message}\n  ${error.suggestion}\n`);
      return error instanceof BadUse ? 2 : 1;
    }
    const { code } = (error ?? {}) as { code?: unknown };
    if (error instanceof Error && EXPECTED.has(code)) {
      kit.terminal.note(`argosy: ${error.message}\n`);
      return 1;
    }
    if (typeof code === 'string' && UNREACHABLE.test(code)) {
      kit.terminal.note(`argosy: A server cannot be reached (${code}${error instanceof Error && error.message !== '' ? `: ${error.message}` : ''}).\n  Is it up, and are DATABASE_URL and REDIS_URL right?\n`);
      return 1;
    }
    kit.terminal.note(
      `argosy: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n  This is a fault of argosy itself; please report it with the lines above.\n`,
    );
    return 1;
  }
}

/** Commands of two words go before those of one. */
function commandOf(args: readonly string[], isHelp: boolean): { command: Command | undefined; rest: readonly string[] } {
  const [first = '', second = ''] = args;
  const command = commands.find(({ name }) => name === `${first} ${second}`) ?? commands.find(({ name }) => name === first);
  if (command) return { command, rest: args.slice(command.name.split(' ').length) };
  if (first === '' && isHelp) return { command: undefined, rest: [] };
  const verbs = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name.split(' ')[1]);
  if (first === '') throw new BadUse('Which command?');
  if (verbs.length === 0) throw new BadUse(`There is no command "${first}".`);
  if (isHelp && second === '') return { command: undefined, rest: [] };
  throw new BadUse(second === '' ? `What about the ${first}?` : `"${second}" is nothing to do with a ${first}.`, `argosy ${first} knows: ${verbs.join(', ')}.`);
}

function overview(): string {
  const width = Math.max(...commands.map((command) => usageOf(command).length));
  const lines = commands.map((command) => `  argosy ${usageOf(command).padEnd(width)}  ${command.about}`);
  return `Runs workflows on a fleet of workers.\n\n${lines.join('\n')}\n\nARGOSY_URL names the API (default http://127.0.0.1:5678), ARGOSY_API_KEY its key.\nExit codes: 0 success, 1 failed, 2 bad use.\n`;
}

function helpOf(command: Command): string {
  const flags = Object.entries(command.options).map(([name, { type, about }]) => ({ flag: `--${name}${type === 'string' ? ' VALUE' : ''}`, about }));
  const width = Math.max(0, ...flags.map(({ flag }) => flag.length));
  const options = flags.map(({ flag, about }) => `  ${flag.padEnd(width)}  ${about}`);
  return `argosy ${usageOf(command)}${options.length > 0 ? ' [options]' : ''}\n\n${command.about}\n${options.length > 0 ? `\n${options.join('\n')}\n` : ''}`;
}

const usageOf = ({ name, operands }: Command): string => `${name}${operands && ` ${operands}`}`;
